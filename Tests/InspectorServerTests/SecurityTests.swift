#if Inspector
    import Foundation
    import LoopbackHTTP
    import PersistentObjects
    import TestSupport
    import Testing

    @testable import InspectorServer
    @testable import PersistentInspector

    /// The promises of the section on security in Docs/Inspector.md, which need no connection.
    struct SecurityTests {
        private let access = Access(port: 4000, isWritable: true)

        private func request(_ change: (inout Request) -> Void) -> Request {
            var request = Request()
            (request.sentHost, request.sentCookie, request.method) = ("127.0.0.1:4000", access.token, "POST")
            (request.sentOrigin, request.sentForm) = ("http://127.0.0.1:4000", ["form": access.formToken])
            change(&request)
            return request
        }

        private func site(_ path: String) -> Site {
            Site(access: access, pages: InspectorPages(path: path), changes: ChangeFeed(path: path))
        }

        private func get(_ site: Site, _ path: String, _ query: [String: String] = [:]) throws -> Response {
            try #require(
                site.response(
                    to: request {
                        ($0.method, $0.path, $0.query, $0.sentOrigin, $0.sentForm) = ("GET", path, query, nil, [:])
                    })
            )
        }

        @Test func `a form needs the origin, the cookie and its own token`() {
            #expect(access.objection(to: request { _ in }) == nil)
            #expect(access.formToken.count == 32 && access.formToken != access.token)
            for origin in [nil, "null", "http://evil.example", "http://localhost:4000", "https://127.0.0.1:4000"] {
                #expect(access.objection(to: request { $0.sentOrigin = origin })?.status == 403)
            }
            for token in ["", "x", access.token, access.formToken + "0", String(access.formToken.dropLast())] {
                #expect(access.objection(to: request { $0.sentForm["form"] = token })?.status == 403)
            }
            #expect(access.objection(to: request { $0.sentForm = [:] })?.status == 403)
            #expect(access.objection(to: request { $0.sentCookie = nil })?.status == 403)
            #expect(access.objection(to: request { $0.sentHost = "evil.example:4000" })?.status == 421)
            // The token of the address is not a way around the cookie.
            #expect(
                access.objection(to: request { ($0.sentCookie, $0.query) = (nil, ["token": $0.sentCookie ?? ""]) })?
                    .status
                    == 403)
        }

        @Test func `without editing, forms are refused, and no page has one that writes`() throws {
            let reading = Access(port: 4000)
            var sent = request { _ in }
            (sent.sentCookie, sent.sentForm) = (reading.token, ["form": reading.formToken])
            #expect(reading.objection(to: sent)?.status == 405)
            let file = try TemporaryStore()
            let site = site(try makeServedFile(file))
            for path in ["/", "/class/Gadget", "/object/Gadget/1", "/sql"] {
                #expect(!(try get(site, path).text.contains("method=\"post\"")))
            }
            for path in ["/edit/Gadget/1", "/delete/Gadget/1", "/new/Gadget"] {
                #expect(try get(site, path).status == 404)
            }
        }

        @Test func `nothing but the inspector's own files is loaded or run`() {
            let headers = Dictionary(uniqueKeysWithValues: Response.common + Response.inspector)
            let policy = headers["Content-Security-Policy"] ?? ""
            #expect(policy.hasPrefix("default-src 'none';") && policy.contains("script-src 'self';"))
            #expect(!policy.contains("unsafe") && !policy.contains("data:") && !policy.contains("*"))
            #expect(policy.contains("frame-ancestors 'none'") && policy.contains("base-uri 'none'"))
            #expect(headers["X-Content-Type-Options"] == "nosniff" && headers["Referrer-Policy"] == "same-origin")
            #expect(headers["Cache-Control"] == "no-store")
        }

        @Test func `no page has a script, a style or a handler of its own`() throws {
            let file = try TemporaryStore()
            let site = site(try makeServedFile(file))
            for path in ["/", "/class/Gadget", "/object/Gadget/1", "/object/Maker/1/graph", "/sizes", "/live", "/sql"] {
                let text = try get(site, path).text
                #expect(
                    text.ranges(of: "<script").count == 1 && text.contains("<script src=\"/script.js\" defer></script>")
                )
                #expect(!text.contains("<style") && !text.contains(" style=") && !text.contains("javascript:"))
                let tags = text.replacing(/"[^"]*"/, with: "").matches(of: /<[a-z][^>]*>/).map { String($0.0) }
                #expect(!tags.contains { $0.contains(/\son[a-z]+=/) }, "\(path)")
            }
        }

        @Test func `a hostile name in a query or an address is text`() throws {
            let file = try TemporaryStore()
            let site = site(try makeServedFile(file))
            for (path, name) in [("/find", "q"), ("/sql", "q"), ("/search", "q"), ("/class/Gadget", "v1")] {
                let text = try get(site, path, [name: hostileName, "p1": "name"]).text
                #expect(text.contains("&lt;img src=x") && !text.contains("<img src=x"), "\(path)")
            }
            #expect(!(try get(site, "/class/\(hostileName)").text.contains("<img src=x")))
        }

        @Test(.hangLimit)
        func `a hostile statement neither writes, nor reads other files, nor runs for long`() throws {
            let file = try TemporaryStore()
            let path = try makeServedFile(file)
            let (site, before) = (site(path), try Data(contentsOf: URL(filePath: path)))
            for sql in [
                "DROP TABLE gadget", "PRAGMA user_version = 7", "ATTACH '/etc/passwd' AS a", "VACUUM INTO '\(path)-2'",
                "SELECT load_extension('x')", "SELECT writefile('\(path)-3', 'x')", "SELECT 1; DELETE FROM gadget",
                "PRAGMA query_only = 0", "PRAGMA writable_schema = 1", "BEGIN IMMEDIATE",
            ] {
                let text = try get(site, "/sql", ["q": sql]).text
                #expect(text.contains("class=\"note warning\""), "\(sql): \(text)")
            }
            let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
            #expect(try get(site, "/sql", ["q": endless]).text.contains("class=\"note warning\""))
            #expect(try Data(contentsOf: URL(filePath: path)) == before)
            #expect(try FileManager.default.contentsOfDirectory(atPath: file.folder.path).count == 1)
        }

        @Test func `an encrypted value is not shown, edited or searched`() throws {
            let file = try TemporaryStore()
            let path = try makeServedFile(file)
            _ = try SQLiteTool.run(path, "UPDATE po_property SET flags = flags | 32 WHERE name = 'photo'")
            #expect(try get(site(path), "/object/Gadget/1").text.contains("encrypted, 70 bytes"))
            let pages = InspectorPages(path: path, editor: FileEditor(path: path))
            let form = try #require(try pages.page("/edit/Gadget/1", [:]))
            #expect(form.json.contains("the values are encrypted"))
        }

        @Test func `a form is decoded within its limits`() {
            let form = FormFields.fields(Array("a=1&b=%C3%A4+%26&c&=x&d=%ZZ&e=%FF&f=%".utf8))
            #expect(form["a"] == "1" && form["b"] == "ä &" && form["c"] == "" && form["d"] == "%ZZ")
            #expect(form["e"] == nil && form["f"] == "%")
        }

        @Test func `the trait is off unless it is asked for`() throws {
            let manifest = SwiftCompiler.packageFolder.appending(path: "Package.swift")
            #expect(!(try String(contentsOf: manifest, encoding: .utf8).contains(".default(")))
        }
    }
#endif
