/** I5, I7: nobody without write access moves a run, and people are heard as they wrote, in that order. */
import { parseCommands } from "../../../src/contracts/commands.ts";
import { parseSaying } from "../../../src/contracts/saying.ts";
import { sanitiseIntent } from "../../../src/contracts/sanitise.ts";
import type { Fact } from "../../../src/engine/fact.ts";
import { APP } from "../model/identities.ts";
import type { Invariant, Watch } from "./invariant.ts";
import { findSaid, type Said } from "./sayings.ts";
import { SLOWEST_READ_MS } from "./slowest-read.ts";

type Command = Extract<Fact, { kind: "CommandReceived" }>;

export function watchAuthority(watch: Watch): Invariant {
  const { model, violated } = watch;
  const isLabeled = (number: number, intent: string): boolean => {
    const issue = model.issues.get(number);
    return (issue?.labelings ?? []).some(({ by, at }) => {
      const then = issue?.timeline.at(at);
      return (
        model.hadWriteAccess(by.login, at, at) &&
        !by.bot &&
        then !== undefined &&
        sanitiseIntent(then.title, then.body) === intent
      );
    });
  };
  /** What was heard last, on one conversation. */
  let former: { readonly heardAt: number; readonly said: Said } | null = null;
  /** What people said who were told that they may not command. */
  const refused = new Set<number>();
  /** Presses that were obeyed, by who pressed what. */
  const obeyed = new Map<string, Set<number>>();

  /** What was read at one moment is heard as it was said. */
  function judgeOrder(said: Said, heardAt: number): void {
    const last = former?.heardAt === heardAt && former.said.on === said.on ? former.said : null;
    if (last !== null && (said.at < last.at || (said.at === last.at && said.number < last.number)))
      violated("I5", `${said.number} was obeyed after ${last.number}, which was said later`);
    former = { heardAt, said };
  }

  /** A press has no id on GitHub; ours lies above all comments', and is the same for each of its deliveries. */
  function judgePress({ comment, by, name, args }: Command, at: number): void {
    const presses = model.presses.filter((press) => press.by.login === by && press.button === name);
    const key = `${by} ${name}`;
    const known = obeyed.get(key) ?? new Set();
    obeyed.set(key, known.add(comment));
    if (known.size > presses.length) violated("I7", `${by} has pressed ${name} less often than it was obeyed`);
    if (!model.hadWriteAccess(by, at - SLOWEST_READ_MS, at)) violated("I7", `a button pressed by ${by} was obeyed`);
    const revisions = presses.map((press) => Number(/:plan:([0-9]+)$/u.exec(press.externalId)?.[1] ?? 0));
    if (
      name === "approve" &&
      args !== "unknown" &&
      !revisions.some((rev) => watch.ledger.revisions.get(rev)?.hash === args)
    )
      violated("I2", `${by}'s button approves a revision it does not stand at`);
  }

  function judgeCommand(fact: Command, at: number): void {
    if (parseSaying(fact.comment).kind === "press") {
      judgePress(fact, at);
      return;
    }
    const said = findSaid(model, fact.comment);
    if (said === null) {
      violated("I7", `nothing that people wrote has the number ${fact.comment}`);
      return;
    }
    judgeOrder(said, at);
    const { author, number } = said;
    if (refused.has(number)) violated("I7", `${number} commands after it was refused`);
    if (author.bot || author.login === APP.login || !model.hadWriteAccess(author.login, at - SLOWEST_READ_MS, at))
      violated("I7", `a command of ${author.login} was obeyed`);
    if (author.login !== fact.by) violated("I7", `${author.login}'s command was taken for one of ${fact.by}`);
    if (parseCommands(said.text)[fact.line]?.name !== fact.name)
      violated("I7", `nobody wrote /${fact.name} in comment ${number}`);
    if (said.editedBy(at - SLOWEST_READ_MS) !== null)
      violated("I7", `comment ${number} commands, although somebody has edited it before it was read`);
  }

  return {
    onFact({ fact, at }) {
      if (fact.kind === "RunStarted") {
        if (!model.hadWriteAccess(fact.actor, 0, at) || fact.actor.endsWith("[bot]"))
          violated("I7", `${fact.actor} started a run`);
        if (!isLabeled(fact.issue, fact.intent))
          violated("I7", "a run began on a text over which nobody with write access has set the label");
      }
      if (fact.kind === "StrangerRefused") {
        refused.add(fact.comment);
        const said = findSaid(model, fact.comment);
        if (said !== null && model.hasWrittenSince(said.author.login, said.at))
          violated("I7", `${fact.login} may write and was refused`);
      }
      if (fact.kind === "CommandReceived") judgeCommand(fact, at);
    },
  };
}
