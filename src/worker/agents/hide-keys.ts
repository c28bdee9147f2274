/** Puts a proxy in front of each key whose provider's address the program can be told. */
import type { ModelKey } from "../../contracts/model-keys.ts";
import type { Preset } from "../presets/preset.ts";
import { type KeyProxy, startKeyProxy } from "./key-proxy.ts";

export interface HiddenKeys {
  /** What the program is given: dummies where there is a proxy. */
  readonly keys: ReadonlyMap<ModelKey, string>;
  /** The program's settings, with the proxies' addresses. */
  readonly settings: Readonly<Record<string, string>>;
  /** What a provider answered last, where that was a refusal; see {@link KeyProxy.refusal}. */
  readonly refusal: () => string | null;
  readonly end: () => Promise<void>;
}

export async function hideKeys(
  preset: Preset,
  keys: ReadonlyMap<ModelKey, string>,
  settings: Readonly<Record<string, string>>,
): Promise<HiddenKeys> {
  const shown = new Map<ModelKey, string>();
  const changed: Record<string, string> = { ...settings };
  const proxies: KeyProxy[] = [];
  for (const [name, value] of keys) {
    const provider = preset.providers[name];
    // One address holds one key: a second one for the same provider is not handed out at all.
    if (provider === undefined) shown.set(name, value);
    else if (changed[provider.setting] === undefined || changed[provider.setting] === settings[provider.setting]) {
      const proxy = await startKeyProxy(settings[provider.setting] ?? provider.address, value, provider.header);
      proxies.push(proxy);
      shown.set(name, proxy.dummy);
      changed[provider.setting] = proxy.url;
    }
  }
  return {
    keys: shown,
    settings: changed,
    refusal: () => proxies.map((proxy) => proxy.refusal()).find((said) => said !== null) ?? null,
    async end() {
      await Promise.all(proxies.map((proxy) => proxy.end()));
    },
  };
}
