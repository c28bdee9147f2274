/** The look of all pages; served once as /_style.css. */
export const STYLE = `
:root { --line: #d1d9e0; --soft: #f6f8fa; --text: #1f2328; --dim: #59636e; --blue: #0969da; --green: #1a7f37; --red: #cf222e; --violet: #8250df; --amber: #9a6700; }
* { box-sizing: border-box; }
body { margin: 0; color: var(--text); font: 14px/1.5 -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
a { color: var(--blue); text-decoration: none; } a:hover { text-decoration: underline; }
code, pre, .mono { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 12px; }
header.site { background: var(--soft); border-bottom: 1px solid var(--line); padding: 12px 32px 0; }
header.site .crumbs { font-size: 16px; font-weight: 600; display: flex; gap: 6px; align-items: center; }
header.site .note { margin-left: auto; font-size: 12px; font-weight: 400; color: var(--dim); }
nav.tabs { display: flex; gap: 4px; margin-top: 10px; } nav.tabs a { color: var(--text); padding: 8px 14px; border-bottom: 2px solid transparent; } nav.tabs a.here { border-color: #fd8c73; font-weight: 600; }
main { max-width: 1120px; margin: 24px auto; padding: 0 24px 64px; }
h1 { font-size: 26px; font-weight: 400; margin: 0 0 8px; } h1 .number { color: var(--dim); } h2 { font-size: 18px; }
.meta { color: var(--dim); } .state { color: #fff; background: var(--dim); border-radius: 2em; padding: 4px 12px; font-weight: 600; display: inline-block; }
.state.open { background: var(--green); } .state.closed { background: var(--red); } .state.merged, .state.done { background: var(--violet); } .state.draft { background: var(--dim); }
.label { border-radius: 2em; padding: 1px 8px; font-size: 12px; font-weight: 600; background: #ddf4ff; color: var(--blue); border: 1px solid #b6e3ff; margin-left: 4px; }
.box { border: 1px solid var(--line); border-radius: 6px; margin: 16px 0; overflow: hidden; background: #fff; }
.box > .head { background: var(--soft); border-bottom: 1px solid var(--line); padding: 8px 16px; color: var(--dim); } .box > .head b { color: var(--text); }
.box > .body { padding: 16px; } .row { padding: 10px 16px; border-top: 1px solid var(--line); } .row:first-child { border-top: 0; }
.event { padding: 6px 0 6px 16px; margin-left: 24px; border-left: 2px solid var(--line); color: var(--dim); } .event b { color: var(--text); }
.avatar { width: 20px; height: 20px; border-radius: 50%; vertical-align: middle; margin-right: 6px; }
.markdown > :first-child { margin-top: 0; } .markdown > :last-child { margin-bottom: 0; } .markdown img { max-width: 100%; } .markdown .diagram { text-align: center; }
.markdown h1, .markdown h2 { border-bottom: 1px solid var(--line); padding-bottom: .3em; font-weight: 600; } .markdown h1 { font-size: 1.6em; } .markdown h2 { font-size: 1.35em; }
.markdown pre { background: var(--soft); padding: 16px; border-radius: 6px; overflow: auto; } .markdown code { background: #818b981f; padding: .2em .4em; border-radius: 6px; } .markdown pre code { background: none; padding: 0; }
.markdown table { border-collapse: collapse; display: block; overflow: auto; } .markdown th, .markdown td { border: 1px solid var(--line); padding: 6px 13px; } .markdown tr:nth-child(even) { background: var(--soft); }
.markdown blockquote { border-left: .25em solid var(--line); color: var(--dim); padding: 0 1em; margin-left: 0; } .markdown ul.contains-task-list { list-style: none; padding-left: 1em; }
.icon { display: inline-block; width: 18px; text-align: center; font-weight: 700; } .icon.success { color: var(--green); } .icon.failure { color: var(--red); } .icon.pending { color: var(--amber); } .icon.neutral { color: var(--dim); }
table.diff { border-collapse: collapse; width: 100%; table-layout: fixed; } table.diff td { padding: 0 10px; white-space: pre-wrap; word-break: break-word; vertical-align: top; font: 12px/20px ui-monospace, Menlo, Consolas, monospace; } table.diff td.n { width: 50px; text-align: right; color: var(--dim); user-select: none; }
table.diff tr.add td { background: #dafbe1; } table.diff tr.del td { background: #ffebe9; } table.diff tr.hunk td { background: #ddf4ff; color: var(--dim); } table.diff td.thread { background: #fff; padding: 8px 16px; white-space: normal; }
table.code { border-collapse: collapse; width: 100%; } table.code td { font: 12px/20px ui-monospace, Menlo, Consolas, monospace; white-space: pre-wrap; padding: 0 10px; } table.code td.n { width: 1%; text-align: right; color: var(--dim); } table.code tr:target td { background: #fff8c5; }
pre.log { background: #0d1117; color: #e6edf3; padding: 16px; border-radius: 6px; overflow: auto; margin: 0; }
.plus { color: var(--green); } .minus { color: var(--red); } .right { float: right; }
.annotation { border-left: 4px solid var(--amber); padding: 4px 12px; margin: 8px 0; background: var(--soft); } .annotation.failure { border-color: var(--red); } .annotation.notice { border-color: var(--blue); }
`;
