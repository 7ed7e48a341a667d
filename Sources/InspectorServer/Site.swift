internal import Foundation
internal import LoopbackHTTP
internal import PersistentInspector

/// Answers requests with pages, each as HTML, as JSON, and as CSV if it has a table.
struct Site: Sendable {
    let access: Access
    let pages: InspectorPages
    let changes: ChangeFeed
    /// Held during an edit. Pages are answered concurrently.
    private let edits = NSLock()

    init(access: Access, pages: InspectorPages, changes: ChangeFeed) {
        (self.access, self.pages, self.changes) = (access, pages, changes)
    }

    /// The response to a request, or that it waits for a change of the file. The feed ends the wait.
    func outcome(of request: Request) -> Outcome {
        response(to: request).map { .answered($0) } ?? .waits(topic: ChangeFeed.topic, seconds: 3600)
    }

    /// Nil if the request waits for a change of the file.
    func response(to request: Request) -> Response? {
        if let objection = access.objection(to: request) { return objection }
        switch request.path {
        case "/style.css": return Response(status: 200, type: "text/css; charset=utf-8", text: StyleSheet.text)
        case "/script.js":
            return Response(status: 200, type: "text/javascript; charset=utf-8", text: PageScript.text)
        case "/icon.svg": return Response(status: 200, type: "image/svg+xml", text: StyleSheet.icon)
        case "/changes": return changes.response(to: request)
        default: return page(request)
        }
    }

    private func page(_ request: Request) -> Response {
        do {
            if request.method == "POST" { return try changed(request) }
            if let file = try pages.resource(request.path, request.query) { return Site.response(file) }
            for (suffix, form) in [(".json", Form.json), (".csv", .csv)] where request.path.hasSuffix(suffix) {
                // The page of the classes is `/`, and its JSON is `/.json`.
                let path = String(request.path.dropLast(suffix.count))
                guard let content = try pages.page(path, request.query) else { break }
                return form.response(content)
            }
            guard let content = try pages.page(request.path, request.query) else {
                return .refused(404, "There is no such page.")
            }
            return html(content, request)
        } catch {
            let content = PageContent(problem: "\(error)")
            return html(content, request, status: 404)
        }
    }

    private enum Form {
        case json, csv

        func response(_ content: PageContent) -> Response {
            switch self {
            case .json: return Response(status: 200, type: "application/json; charset=utf-8", text: content.json)
            case .csv:
                guard let csv = content.csv else { return .refused(404, "This page has no table.") }
                return Response(status: 200, type: "text/csv; charset=utf-8", text: csv)
            }
        }
    }

    private func html(_ content: PageContent, _ request: Request, status: Int = 200) -> Response {
        let parts = request.path.split(separator: "/").map(String.init)
        func address(_ suffix: String) -> String {
            let path = parts.isEmpty ? [suffix] : parts.dropLast() + [parts[parts.count - 1] + suffix]
            return PageLink.address(path, request.query.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        }
        let isClass = ["class", "object", "linked"].contains(parts.first ?? "")
        let page = PageHTML(
            content: content, undo: pages.undo, fileName: pages.fileName, json: address(".json"),
            csv: content.csv == nil ? nil : address(".csv"), formToken: access.isWritable ? access.formToken : nil,
            section: parts.isEmpty || isClass ? "classes" : parts[0])
        return Response(status: status, type: "text/html; charset=utf-8", text: page.text)
    }

    private static func response(_ file: PageResource) -> Response {
        let headers = file.attachment.map { ["Content-Disposition": "attachment; filename=\"\($0)\""] } ?? [:]
        return Response(status: 200, type: file.type, body: file.bytes, headers: headers)
    }

    private func changed(_ request: Request) throws -> Response {
        switch try edits.withLock({ try pages.submit(request.path, request.form) }) {
        case .done(let path): .redirection(to: path)
        case .refused(let content): html(content, request, status: 422)
        case nil: .refused(404, "There is no such form.")
        }
    }
}
