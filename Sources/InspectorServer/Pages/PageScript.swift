/// The script of all pages: it shows changes of the file, and adds keyboard shortcuts. All pages work without it.
enum PageScript {
    static let text = #"""
        "use strict";
        (() => {
          const state = document.getElementById("state");
          const liveList = document.getElementById("live-changes");
          const liveState = document.getElementById("live-state");
          // Pages that read much, or that a form has sent, are not loaded again.
          const isFixed = /^\/(check|sql|sizes|find|new|edit|delete)/.test(location.pathname);
          let version = null;

          const element = (name, text) => {
            const made = document.createElement(name);
            if (text !== undefined) made.textContent = text;
            return made;
          };

          function showLines(lines) {
            for (const line of lines) {
              const item = element("li");
              item.append(element("time", line.time), " ", line.text);
              liveList.prepend(item);
            }
            while (liveList.children.length > 200) liveList.lastChild.remove();
          }

          function offerReload() {
            const link = element("a", "The data changed. Load the page again");
            link.href = location.href;
            state.replaceChildren(link);
          }

          async function refresh() {
            const active = document.activeElement;
            if (isFixed || (active && /^(INPUT|SELECT|TEXTAREA)$/.test(active.tagName))) return offerReload();
            const answer = await fetch(location.href);
            if (!answer.ok) return offerReload();
            const page = new DOMParser().parseFromString(await answer.text(), "text/html");
            const [old, next] = [document.querySelector("main"), page.querySelector("main")];
            const known = new Set([...old.querySelectorAll("tbody tr")].map((row) => row.textContent));
            const open = [...old.querySelectorAll("details")].map((part) => part.open);
            next.querySelectorAll("details").forEach((part, index) => { part.open = open[index] ?? false; });
            for (const row of next.querySelectorAll("tbody tr")) {
              if (!known.has(row.textContent)) row.classList.add("changed");
            }
            old.replaceWith(document.adoptNode(next));
            state.textContent = "updated " + new Date().toLocaleTimeString();
          }

          // A browser has few connections to a server, so only the page that is shown waits for changes.
          let stop = new AbortController();
          document.addEventListener("visibilitychange", () => { if (document.hidden) stop.abort(); });
          window.addEventListener("pagehide", () => stop.abort());
          async function visible() {
            while (document.hidden) {
              await new Promise((done) => document.addEventListener("visibilitychange", done, { once: true }));
            }
            if (stop.signal.aborted) stop = new AbortController();
          }

          async function listen() {
            for (let failures = 0; failures < 5;) {
              await visible();
              try {
                const query = (version === null ? "" : "since=" + version) + (liveList ? "&lines=1" : "");
                const answer = await fetch("/changes?" + query, { signal: stop.signal });
                if (!answer.ok) throw new Error(answer.status);
                const news = await answer.json();
                if (liveState) liveState.textContent = "Waiting for changes of the file";
                if (liveList) showLines(news.lines);
                if (version !== null && news.version !== version && !liveList) await refresh();
                version = news.version;
                failures = 0;
              } catch (problem) {
                if (stop.signal.aborted) continue;
                failures += 1;
                await new Promise((done) => setTimeout(done, 1000 * failures));
              }
            }
            state.textContent = "no live updates";
          }
          listen();

          const keys = {
            "/": ["go to the first field", () => document.querySelector("main input[type=text], main textarea")?.focus()],
            c: ["classes", () => { location.href = "/"; }],
            f: ["find", () => { location.href = "/find"; }],
            s: ["SQL", () => { location.href = "/sql"; }],
            j: ["next row", () => select(1)],
            k: ["previous row", () => select(-1)],
            o: ["open the row", () => document.querySelector("tr.selected a")?.click()],
            n: ["next page", () => [...document.querySelectorAll("main .links a")]
              .find((link) => /^(next \d|earlier)/.test(link.textContent))?.click()],
            u: ["page above", () => [...document.querySelectorAll(".trail a")].at(-1)?.click()],
            "?": ["this list", () => showKeys()],
          };

          function select(step) {
            const rows = [...document.querySelectorAll("main tbody tr")];
            const current = rows.findIndex((row) => row.classList.contains("selected"));
            const next = rows[Math.min(Math.max(current + step, 0), rows.length - 1)];
            rows[current]?.classList.remove("selected");
            next?.classList.add("selected");
            next?.scrollIntoView({ block: "nearest" });
          }

          function showKeys() {
            const dialog = element("dialog");
            const list = element("table");
            for (const [key, [text]] of Object.entries(keys)) {
              const row = list.insertRow();
              row.insertCell().append(element("code", key));
              row.insertCell().textContent = text;
            }
            dialog.append(list);
            dialog.addEventListener("close", () => dialog.remove());
            dialog.addEventListener("click", () => dialog.close());
            document.body.append(dialog);
            dialog.showModal();
          }

          document.addEventListener("keydown", (event) => {
            if (event.ctrlKey || event.metaKey || event.altKey) return;
            if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
              if (event.key === "Escape") event.target.blur();
              return;
            }
            const entry = keys[event.key];
            if (!entry) return;
            event.preventDefault();
            entry[1]();
          });
        })();

        """#
}
