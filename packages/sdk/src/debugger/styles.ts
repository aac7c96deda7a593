/** The debugger's look. A constructed style sheet, because a page's policy may forbid style elements and attributes. */
export const STYLES = `
:host{all:initial}
*{box-sizing:border-box}
dialog,.badge{--bg:#fff;--fg:#10201f;--dim:#4a5c5b;--line:#c9d5d4;--field:#6b7d7c;--accent:#0b6168;--good:#14663a;--note:#7a4b00;--bad:#a3201c;color-scheme:light dark;font:15px/1.45 system-ui,sans-serif;color:var(--fg)}
dialog{position:fixed;inset:0 0 0 auto;width:min(100vw,480px);height:100vh;height:100dvh;max-width:100vw;max-height:none;margin:0;padding:0;border:0;border-left:1px solid var(--line);background:var(--bg);overflow:auto;overscroll-behavior:contain}
dialog::backdrop{background:rgb(0 0 0/.4)}
header{position:sticky;top:0;z-index:1;display:flex;gap:8px;align-items:center;padding:8px 16px;background:var(--bg);border-bottom:1px solid var(--line)}
h1{flex:1;margin:0;font-size:18px}
h2{margin:0 0 8px;font-size:16px}
h3{margin:16px 0 8px;font-size:15px}
section,form{padding:16px;border-bottom:1px solid var(--line)}
p{margin:0;overflow-wrap:anywhere}
button,input,select{min-height:44px;padding:0 12px;font:inherit;color:inherit;background:var(--bg);border:1px solid var(--field);border-radius:8px;max-width:100%}
button{cursor:pointer;font-weight:600}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
input:not([type=checkbox]),select{display:block;width:100%;margin:4px 0 8px}
a{color:var(--accent);display:inline-block;padding:10px 0;overflow-wrap:anywhere}
ul,ol{margin:0;padding:0;list-style:none}
li{overflow-wrap:anywhere}
.lines li{display:grid;grid-template-columns:72px minmax(0,1fr);gap:8px;padding:6px 0}
.lines p,.partners p,summary p,.about{color:var(--dim)}
.state{font-weight:700}
.good{color:var(--good)}.note{color:var(--note)}.bad{color:var(--bad)}.unknown{color:var(--dim)}
details{padding:4px 0}
summary{padding:10px 0;cursor:pointer}
.partners li{padding:6px 0 6px 12px;border-left:2px solid var(--line)}
.formats{display:flex;flex-wrap:wrap;gap:8px;margin:8px 0}
.place{overflow:auto;margin:8px 0}
.check{display:flex;gap:8px;align-items:center;min-height:44px}
.check input{min-height:24px;width:24px;flex:none;margin:0}
.alert{color:var(--bad);font-weight:600}
.badge{position:fixed;left:8px;bottom:8px;z-index:2147483647;box-shadow:0 2px 8px rgb(0 0 0/.3)}
@media (prefers-color-scheme:dark){dialog,.badge{--bg:#0e1a1b;--fg:#e9f1f0;--dim:#a9bbb9;--line:#2c4041;--field:#7f9594;--accent:#7fd6de;--good:#74d69a;--note:#f0c06a;--bad:#ff9a94}}
`;
