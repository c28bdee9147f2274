/** Said before anything of somebody's runs on this machine. */
export const NOT_ISOLATED =
  "WARNING: local runs are not isolated. The agent, the repository's commands and what the agent writes run as you, " +
  "with your files and your network within reach. Use it for repositories and issues you trust.";
