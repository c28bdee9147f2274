/** The environment of an agent: what a program needs to run at all, and nothing that is anybody's secret. */

const allowed = [
  "PATH",
  "LANG",
  "LC_ALL",
  "TZ",
  "TERM",
  "USER",
  "LOGNAME",
  "SHELL",
  "CI",
  // How an organisation's runners reach the network.
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
  // The runner ends what still carries it when a job is over.
  "RUNNER_TRACKING_ID",
  "RUNNER_OS",
  "RUNNER_ARCH",
];

/**
 * @param own variables of the agent itself: its key, its settings.
 * @param home an empty folder: configuration of the machine's user is not the repository's business.
 */
export function scrubEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const scrubbed: Record<string, string> = {};
  for (const name of allowed) {
    const value = env[name];
    if (value !== undefined) scrubbed[name] = value;
  }
  // The key proxy is on this machine, whatever proxy leads out of it.
  for (const name of ["NO_PROXY", "no_proxy"])
    scrubbed[name] = ["127.0.0.1", "localhost", scrubbed[name]].filter(Boolean).join(",");
  return { ...scrubbed, HOME: home, TMPDIR: `${home}/tmp`, ...own };
}
