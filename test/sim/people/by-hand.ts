import { pushFiles } from "../model/branches.ts";
import { mayPush } from "./access.ts";
import { WILL } from "./cast.ts";
import { MINUTE, type Scene } from "./scene.ts";

/** Who takes a chunk, or says that they mend it, implements it some time later, mostly well. */
export function keepPromise(scene: Scene, words: string, label: string): void {
  const chunk = /(?:\/take|I mend) (\S+)/u.exec(words)?.[1];
  if (chunk === undefined || !scene.chance.happens(`keeps:${label}`, 0.85)) return;
  implementLater(scene, chunk, label, 1);
}

function implementLater(scene: Scene, chunk: string, label: string, tries: number): void {
  const minutes = scene.chance.int(`by-hand:${label}:${tries}`, 15, 70);
  scene.intend(`by-hand:${label}:${tries}`, minutes * MINUTE, `will implements ${chunk}`, () => {
    const branch = [...scene.model.refs].find(([name, ref]) => name.endsWith(`/chunk/${chunk}`) && ref.now !== null);
    if (branch === undefined || !mayPush(scene.model)) {
      if (tries < 6) implementLater(scene, chunk, label, tries + 1);
      return;
    }
    const slip = scene.chance.happens(`slips:${label}:${tries}`, 0.2) ? `breaks ${chunk} works\n` : "";
    pushFiles(scene.model, branch[0], WILL, `Build ${chunk} by hand`, {
      [`src/${chunk}.js`]: `// ${chunk}, by hand ${tries}\nconst ${chunk} = "hand";\n${slip}`,
      [`test/${chunk}.test.js`]: `it ${chunk} works\nit ${chunk} refuses nothing\nexpect equal\nexpect throws\n`,
    });
    if (slip !== "" && tries < 4) implementLater(scene, chunk, label, tries + 1);
  });
}
