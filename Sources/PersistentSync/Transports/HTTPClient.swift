internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Sends requests to a service. Answers have a limit, redirections are not followed, and nothing is kept on the disk.
final class HTTPClient: Sendable {
    struct Answer: Sendable {
        let status: Int
        let bytes: [UInt8]
        /// The time of the service, if it does not accept the request's time.
        var time: Int64?
    }

    /// How long a service may be silent.
    private static let patience: TimeInterval = 30

    private let root: URL
    private let account: String
    private let signer: RequestSigner
    private let session: URLSession
    private let exchanges = HTTPExchanges()

    init(_ url: URL, account: String, signer: RequestSigner) {
        root = url.absoluteURL
        (self.account, self.signer) = (account, signer)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    /// A client of the same service and account, which signs with another key.
    func signing(with signer: RequestSigner) -> HTTPClient { HTTPClient(root, account: account, signer: signer) }

    /// The name of the service in messages.
    var name: String { root.host() ?? root.absoluteString }

    /// - Parameters:
    ///   - path: The path below the version, with letters, digits, hyphens and slashes.
    ///   - limit: The greatest size of the answer.
    ///   - wait: How long the service may wait for news.
    func send(
        _ method: String, _ path: String, query: [URLQueryItem] = [], headers: [String: String] = [:],
        body: [UInt8]? = nil, limit: Int = 1 << 16, wait: Int = 0
    ) async throws -> Answer {
        try Task.checkCancellation()
        guard root.scheme == "https" || root.scheme == "http" && ["localhost", "127.0.0.1", "::1"].contains(name) else {
            throw SyncError(
                .notAuthorised,
                "The address of the service \(name) does not begin with https, so other computers could read the token. "
                    + "Nothing was sent. Use an https address")
        }
        var address = root.appending(path: "v1").appending(path: path)
        if !query.isEmpty { address.append(queryItems: query) }
        var request = URLRequest(url: address, timeoutInterval: Self.patience + TimeInterval(wait))
        request.httpMethod = method
        request.setValue("Bearer \(account)", forHTTPHeaderField: "Authorization")
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        request.httpBody = body.map { Data($0) }
        let answer = try await send(signed(request, path, body), limit)
        guard answer.status == 401, let time = answer.time else { return answer }
        // The clock of the device is wrong.
        signer.adopt(time: time)
        return try await send(signed(request, path, body), limit)
    }

    private func signed(_ request: URLRequest, _ path: String, _ body: [UInt8]?) -> URLRequest {
        var request = request
        let headers = signer.headers(request.httpMethod ?? "", path, account: account, body: body ?? [])
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    private func send(_ request: URLRequest, _ limit: Int) async throws -> Answer {
        do {
            return try await exchanges.send(session.dataTask(with: request), limit: limit)
        } catch let error as HTTPFailure {
            throw failure(error.reason)
        }
    }

    func failure(_ reason: String) -> SyncError {
        SyncError(
            .notReachable,
            "The service \(name) cannot be used: \(reason). Nothing was lost. The request is repeated in the next round"
        )
    }

    /// The error of an answer that is not expected.
    func failure(_ answer: Answer) -> SyncError {
        switch answer.status {
        case 401, 403:
            SyncError(
                .notAuthorised,
                "The service \(name) does not accept the token of the account. Nothing was changed. Use the token that the "
                    + "service printed for the account, or ask its operator for a new one")
        case 413:
            SyncError(
                .quota,
                "An entry is larger than the service \(name) accepts. It was not sent. Make the object's values smaller"
            )
        case 507:
            SyncError(
                .quota,
                "The account has no space left on the service \(name), or its disk is full. The changes were not sent, and "
                    + "are still here. Ask its operator for more space")
        default: failure("it answered with the status \(answer.status)")
        }
    }
}

/// The reason that a request has no answer.
struct HTTPFailure: Error {
    let reason: String
}

/// The requests in progress.
private final class HTTPExchanges: NSObject, URLSessionDataDelegate, Sendable {
    private struct Exchange {
        let continuation: CheckedContinuation<HTTPClient.Answer, any Error>
        let limit: Int
        var status = 0
        var time: Int64?
        var bytes: [UInt8] = []
    }

    private let exchanges = Mutex<[Int: Exchange]>([:])

    func send(_ task: URLSessionDataTask, limit: Int) async throws -> HTTPClient.Answer {
        let number = task.taskIdentifier
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchanges.withLock { $0[number] = Exchange(continuation: continuation, limit: limit) }
                if Task.isCancelled { end(number, .failure(CancellationError())) } else { task.resume() }
            }
        } onCancel: {
            // The caller does not wait for the end of the connection.
            end(number, .failure(CancellationError()))
            task.cancel()
        }
    }

    private func end(_ number: Int, _ result: Result<HTTPClient.Answer, any Error>) {
        exchanges.withLock { $0.removeValue(forKey: number) }?.continuation.resume(with: result)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let answer = response as? HTTPURLResponse
        let status = answer?.statusCode ?? 0
        let time = answer?.value(forHTTPHeaderField: SignedRequest.timeHeader).flatMap { Int64($0) }
        exchanges.withLock { exchanges in
            exchanges[dataTask.taskIdentifier]?.status = status
            exchanges[dataTask.taskIdentifier]?.time = time
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let number = dataTask.taskIdentifier
        let isTooLarge = exchanges.withLock { exchanges in
            guard let exchange = exchanges[number] else { return false }
            guard exchange.bytes.count + data.count <= exchange.limit else { return true }
            exchanges[number]?.bytes += data
            return false
        }
        guard isTooLarge else { return }
        end(number, .failure(HTTPFailure(reason: "its answer is too long")))
        dataTask.cancel()
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let number = task.taskIdentifier
        if let error {
            end(number, .failure(HTTPFailure(reason: error.localizedDescription)))
        } else {
            let exchange = exchanges.withLock { $0.removeValue(forKey: number) }
            exchange?.continuation.resume(
                returning: HTTPClient.Answer(
                    status: exchange?.status ?? 0, bytes: exchange?.bytes ?? [], time: exchange?.time))
        }
    }
}
