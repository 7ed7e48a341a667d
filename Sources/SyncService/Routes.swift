internal import Foundation
internal import LoopbackHTTP
internal import PersistentObjects
internal import PersistentSync
internal import StoreEngine

/// What the service answers.
///
/// | request | answer |
/// |---|---|
/// | `GET /v1/GROUP?after=CURSOR&wait=SECONDS` | the entries after a cursor; if there are none, it waits for news |
/// | `GET /v1/GROUP/…` | the bytes of an entry, also from an offset (`Range: bytes=N-`) |
/// | `PUT /v1/GROUP/…` | adds an entry: 201; 200 if it is there with the same bytes; 412 if with other bytes |
/// | `DELETE /v1/GROUP/…` | removes an entry: 204; 403 if another account and another device wrote it |
///
/// Each request has the token of an account, and a signature of a device at about the present time: otherwise 401.
struct Routes: Sendable {
    /// The start of each path.
    private static let root = "/v1/"
    /// How many entries an answer lists.
    static let pageSize = 5000

    let entries: EntryStore
    let limits: ServerLimits
    /// Called after an entry was added to a group.
    let added: @Sendable (String) -> Void

    /// Refuses requests without the token of an account, or a signature, before their body is read.
    func refusal(_ request: Request) -> Response? {
        do {
            guard let token = request.token, try entries.account(token: token) != nil else {
                var response = Response.refused(401, "The token is missing or not valid.")
                response.headers["WWW-Authenticate"] = "Bearer"
                return response
            }
            guard let signed = SignedRequest(headers: request.signature),
                signed.isValid(request.method, String(request.path.dropFirst(Self.root.count)), account: token)
            else { return .refused(401, "The request is not signed.") }
            let time = Int64(Date().timeIntervalSince1970)
            guard !signed.isCurrent(at: time) else { return nil }
            var response = Response.refused(401, "The request was not signed in the last five minutes.")
            response.headers[SignedRequest.timeHeader] = "\(time)"
            return response
        } catch {
            return Self.response(to: error)
        }
    }

    func outcome(_ request: Request) -> Outcome {
        do {
            return try route(request)
        } catch {
            return .answered(Self.response(to: error))
        }
    }

    private static func response(to error: any Error) -> Response {
        switch (error as? StoreError)?.code {
        case .diskFull?: .refused(507, "The disk of the service is full.")
        default: .refused(503, "The service cannot use its file.")
        }
    }

    private func route(_ request: Request) throws -> Outcome {
        guard request.path.hasPrefix(Self.root) else { return .answered(.refused(404, "There is no such page.")) }
        let path = String(request.path.dropFirst(Self.root.count))
        if let entry = SyncEntry(path: path, size: request.body.count) {
            switch request.method {
            case "GET": return .answered(try read(path, request.headers["range"]))
            case "PUT": return .answered(try add(entry, request))
            case "DELETE": return .answered(try remove(path, request))
            default: return .answered(.refused(405, "The service knows GET, PUT and DELETE."))
            }
        }
        // A name that is valid in the path of an entry.
        guard SyncEntry(path: "\(path)/members/a", size: 0) != nil else {
            return .answered(.refused(404, "There is no such group or entry."))
        }
        guard request.method == "GET" else { return .answered(.refused(405, "The service only lists groups.")) }
        return try list(path, request)
    }

    // MARK: Lists

    private struct Page: Encodable {
        struct Item: Encodable {
            let path: String
            let size: Int
        }

        let entries: [Item]
        let cursor: String
        let hasMore: Bool
    }

    private func list(_ group: String, _ request: Request) throws -> Outcome {
        let after = request.query["after"] ?? "0"
        let start = after == "newest" ? try entries.latest(group) : Int(after)
        guard let start, start >= 0, let seconds = Int(request.query["wait"] ?? "0") else {
            return .answered(.refused(400, "The cursor or the time is not a number."))
        }
        let items = try entries.list(group, after: start, limit: Self.pageSize)
        if items.isEmpty, seconds > 0, !request.isLate {
            return .waits(topic: group, seconds: min(seconds, limits.waitSeconds))
        }
        let page = Page(
            entries: items.map { Page.Item(path: $0.path, size: $0.size) },
            cursor: "\(items.last?.number ?? start)", hasMore: items.count == Self.pageSize)
        return .answered(
            Response(status: 200, type: "application/json", body: Array(try JSONEncoder().encode(page))))
    }

    // MARK: Entries

    private func read(_ path: String, _ range: String?) throws -> Response {
        var offset = 0
        if let range {
            guard range.hasPrefix("bytes="), range.hasSuffix("-"), let number = Int(range.dropFirst(6).dropLast()),
                (0...(1 << 40)).contains(number)
            else { return .refused(400, "The range is not of the form bytes=N-.") }
            offset = number
        }
        guard let bytes = try entries.read(path) else { return .refused(404, "There is no such entry.") }
        var response = Response(
            status: range == nil ? 200 : 206, type: "application/octet-stream", body: Array(bytes.dropFirst(offset)))
        if range != nil {
            guard offset < bytes.count else { return .refused(416, "The entry has \(bytes.count) bytes.") }
            response.headers["Content-Range"] = "bytes \(offset)-\(bytes.count - 1)/\(bytes.count)"
        }
        return response
    }

    private func add(_ entry: SyncEntry, _ request: Request) throws -> Response {
        guard let (account, signed) = try sender(request) else { return .refused(401, "The token is not valid.") }
        guard signed.isSignature(of: request.body) else {
            return .refused(401, "The body is not the one that was signed.")
        }
        switch try entries.add(entry.path, of: entry.group, request.body, by: account, key: signed.key) {
        case .added:
            added(entry.group)
            return .refused(201, "Added.")
        case .present: return .refused(200, "Present.")
        case .differs: return .refused(412, "The entry exists with other bytes.")
        case .refused: return .refused(507, "The account has no space left.")
        }
    }

    private func remove(_ path: String, _ request: Request) throws -> Response {
        guard let (account, signed) = try sender(request) else { return .refused(401, "The token is not valid.") }
        let isRemoved = try entries.remove(path, by: account, key: signed.key)
        return isRemoved ? Response(status: 204) : .refused(403, "Another account and another device wrote the entry.")
    }

    /// The account, which may have been removed meanwhile, and the device of a request that was not refused.
    private func sender(_ request: Request) throws -> (EntryStore.Account, SignedRequest)? {
        guard let token = request.token, let account = try entries.account(token: token),
            let signed = SignedRequest(headers: request.signature)
        else { return nil }
        return (account, signed)
    }
}

// What the service reads of a request.
extension Request {
    /// The token of the account.
    fileprivate var token: String? {
        let authorization = headers["authorization"] ?? ""
        return authorization.hasPrefix("Bearer ") ? String(authorization.dropFirst(7)) : nil
    }

    /// The headers with the signature of the device.
    fileprivate var signature: [String?] { SignedRequest.headers.map { headers[$0.lowercased()] } }
}
