#if Inspector
    import Foundation
    import LoopbackHTTP
    import Testing

    @testable import InspectorServer
    @testable import PersistentInspector

    /// A site in editing mode.
    struct Editing {
        let site: Site

        init(_ path: String, _ editor: any InspectorEditor) {
            let pages = InspectorPages(path: path, editor: editor)
            site = Site(access: Access(port: 4000, isWritable: true), pages: pages, changes: ChangeFeed(path: path))
        }

        func send(_ change: (inout Request) -> Void) throws -> Response {
            var request = Request()
            (request.sentHost, request.sentCookie) = ("127.0.0.1:4000", site.access.token)
            change(&request)
            return try #require(site.response(to: request))
        }

        func page(_ path: String) throws -> String { try send { $0.path = path }.text }

        /// Sends the form of a page with other values, as a browser does.
        func submit(_ path: String, _ values: [String: String?]) throws -> Response {
            var form: [String: String] = [:]
            let text = try page(path)
            let start = try #require(text.firstRange(of: "method=\"post\""))
            let html = text[start.upperBound...]
            let end = html.firstRange(of: "</form>")?.lowerBound ?? html.endIndex
            let fields = html[..<end]
            for field in fields.matches(of: /<input [^>]*name="([^"]*)" value="([^"]*)"([^>]*)>/) {
                let isBox = field.0.contains("checkbox")
                if !isBox || field.3.contains("checked") { form[String(field.1)] = unescaped(field.2) }
            }
            for field in fields.matches(of: /<textarea name="([^"]*)"[^>]*>\n([^<]*)<\/textarea>/) {
                form[String(field.1)] = unescaped(field.2)
            }
            for field in fields.matches(of: /<select name="([^"]*)"[^>]*>(.*?)<\/select>/) {
                let options = field.2.matches(of: /<option value="([^"]*)"( selected)?>/)
                let chosen = options.first { $0.2 != nil } ?? options.first
                form[String(field.1)] = chosen.map { unescaped($0.1) }
            }
            for (name, value) in values { form[name] = value }
            // A browser sends each line break as two characters, also of hidden fields, and replaces NUL.
            form = form.mapValues {
                $0.replacing("\r\n", with: "\n").replacing("\r", with: "\n").replacing("\n", with: "\r\n")
                    .replacing("\0", with: "\u{FFFD}")
            }
            return try send {
                ($0.method, $0.path, $0.sentForm, $0.sentOrigin) = ("POST", path, form, "http://127.0.0.1:4000")
            }
        }

        private func unescaped(_ text: Substring) -> String {
            String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
                .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
        }
    }
#endif
