/// The style sheet of all pages, for light and dark screens and for phones.
enum StyleSheet {
    /// The picture in the tabs of a browser.
    static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#0b62c4"/>\
        <path d="M4 5h8M4 8h8M4 11h5" stroke="#fff" stroke-width="1.6" stroke-linecap="round"/></svg>
        """

    static let text = """
        :root {
          color-scheme: light dark;
          --back: #fff; --panel: #f6f7f9; --line: #e1e4e8; --text: #1d2228; --faint: #6a737d;
          --link: #0b62c4; --bar: #7aaee8; --good: #e3f4e6; --info: #eef3f9; --warn: #fff3d6; --danger: #b3261e;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --back: #14171b; --panel: #1c2026; --line: #2e343c; --text: #dde2e8; --faint: #8b949e;
            --link: #6cb0ff; --bar: #35659c; --good: #16301c; --info: #1a2532; --warn: #3a2e10; --danger: #e5736c;
          }
        }
        * { box-sizing: border-box; }
        body { background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; margin: 0; }
        header { align-items: baseline; background: var(--panel); border-bottom: 1px solid var(--line); display: flex;
          flex-wrap: wrap; gap: .2rem 1.2rem; padding: .6rem 1.2rem; }
        header .file { color: var(--text); font-weight: 650; }
        .mode { background: var(--danger); border-radius: 9px; color: #fff; font-size: 12px; padding: 0 .5rem; }
        nav { display: flex; flex-wrap: wrap; gap: .1rem .9rem; }
        nav a[aria-current] { border-bottom: 2px solid var(--link); }
        main { max-width: 80rem; padding: .8rem 1.2rem 1rem; }
        footer { color: var(--faint); font-size: 13px; padding: .6rem 1.2rem 2rem; }
        #state { margin-left: 1rem; }
        h1 { font-size: 1.5rem; font-weight: 650; line-height: 1.25; margin: 0 0 .7rem; overflow-wrap: anywhere; }
        h2 { font-size: 1.1rem; margin: 1.6rem 0 .5rem; }
        h3 { font-size: .95rem; margin: 0 0 .3rem; }
        .trail { color: var(--faint); margin: 0; min-height: 1.2rem; }
        a { color: var(--link); text-decoration: none; }
        a:hover, a:focus-visible { text-decoration: underline; }
        code, pre, .code, input[type=text], textarea { font-family: ui-monospace, Menlo, Consolas, monospace;
          font-size: 13px; }
        pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0;
          overflow-x: auto; padding: .6rem .8rem; }
        .table { overflow-x: auto; }
        table { border-collapse: collapse; }
        th, td { border-bottom: 1px solid var(--line); padding: .28rem 1.1rem .28rem 0; text-align: left;
          vertical-align: top; }
        th { font-weight: 600; white-space: nowrap; }
        td { max-width: 44rem; overflow-wrap: anywhere; }
        .flat td { max-width: 32rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        tbody tr:hover { background: var(--panel); }
        tr.changed td { background: var(--warn); }
        tr.selected td { background: var(--info); }
        .number { font-variant-numeric: tabular-nums; text-align: right; white-space: nowrap; }
        .faint { color: var(--faint); }
        td.bar { min-width: 8rem; width: 16rem; }
        .bar svg { fill: var(--bar); vertical-align: middle; }
        .note { border-radius: 6px; margin: .6rem 0; max-width: 60rem; padding: .35rem .7rem; width: fit-content; }
        .note.info { background: var(--info); }
        .note.good { background: var(--good); }
        .note.warning { background: var(--warn); }
        ul.links { display: flex; flex-wrap: wrap; gap: .3rem 1rem; list-style: none; margin: .4rem 0; padding: 0; }
        ul.list { display: flex; flex-wrap: wrap; gap: 0 .9rem; list-style: none; margin: 0; padding: 0; }
        ul.list .more { font-weight: 600; }
        ul.plan { margin: .2rem 0; padding-left: 1.2rem; }
        .scan { background: var(--warn); border-radius: 4px; font-size: 13px; padding: 0 .4rem; }
        .facets { display: flex; flex-wrap: wrap; gap: 1rem 2.5rem; }
        .facets section { max-width: 26rem; min-width: 17rem; }
        .facets td { border: 0; padding-bottom: .05rem; padding-top: .05rem; }
        .facets td.bar { min-width: 5rem; width: 8rem; }
        ol.changes { list-style: none; margin: 0; padding: 0; }
        ol.changes > li { border-left: 3px solid var(--bar); margin: 0 0 .8rem .2rem; padding: 0 0 0 .8rem; }
        ol.changes time { color: var(--faint); }
        ol.changes ul { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 13px; list-style: none;
          margin: 0; overflow-wrap: anywhere; padding: 0; }
        .drawing { background: #fff; border: 1px solid var(--line); border-radius: 6px; overflow: auto;
          padding: .5rem; }
        .drawing img { display: block; height: auto; max-width: 100%; }
        img.picture { border: 1px solid var(--line); border-radius: 4px; max-height: 16rem; max-width: 100%; }
        form { margin: .5rem 0; }
        form.box { display: flex; gap: .4rem; max-width: 60rem; }
        form.box input[type=text] { flex: 1; min-width: 0; }
        form.rows .row { display: flex; flex-wrap: wrap; gap: .4rem; margin-bottom: .3rem; }
        form.rows input[type=text] { flex: 1; max-width: 26rem; min-width: 7rem; }
        form.editor label { align-items: baseline; display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: .3rem 0; }
        form.editor label > span { min-width: 10rem; }
        form.editor label.check { display: inline-flex; gap: .4rem; }
        form.editor input[type=text], form.editor select { min-width: 0; width: 26rem; }
        form.editor .row { align-items: baseline; display: flex; flex-wrap: wrap; gap: 0 1.2rem; }
        input[type=text], select, textarea { background: var(--back); border: 1px solid var(--line);
          border-radius: 6px; color: var(--text); max-width: 100%; padding: .3rem .5rem; }
        textarea { width: 60rem; }
        form.editor label:has(textarea) > span { display: none; }
        select { font: inherit; }
        button { background: var(--link); border: 0; border-radius: 6px; color: var(--back); cursor: pointer;
          font: inherit; font-weight: 600; padding: .3rem .9rem; }
        button.danger { background: var(--danger); color: #fff; }
        details summary { cursor: pointer; overflow-wrap: anywhere; }
        dialog { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; color: var(--text); }
        @media (max-width: 40rem) {
          header, main, footer { padding-left: .8rem; padding-right: .8rem; }
          th, td { padding-right: .7rem; }
          form.editor input[type=text], form.editor select { width: 100%; }
        }

        """
}
