internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Sends requests to a service. Answers have a limit, redirections are not followed, and nothing is kept on the disk.
final class HTTPClient: Sendable {
    struct Answer: Sendable {
        var status: Int
        var bytes: [UInt8]
        /// The time of the service, if it does not accept the request's time.
        var time: Int64?
    }

    /// Reports the bytes of an answer while they arrive.
    struct Meter: Sendable {
        private let meter: DownloadMeter
        private let offset: Int

        /// - Parameter offset: The number of bytes that were there before.
        init?(_ meter: DownloadMeter?, _ offset: Int) {
            guard let meter else { return nil }
            (self.meter, self.offset) = (meter, offset)
        }

        fileprivate func receive(_ count: Int) { meter.receive(offset + count) }
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
    ///   - cut: Receives what arrived of an answer that was cut.
    func send(
        _ method: String, _ path: String, query: [URLQueryItem] = [], headers: [String: String] = [:],
        body: [UInt8]? = nil, limit: Int = 1 << 16, wait: Int = 0, meter: Meter? = nil, cut: (Answer) -> Void = { _ in }
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
        let answer = try await send(signed(request, path, body), limit, meter, cut)
        guard answer.status == 401, let time = answer.time else { return answer }
        // The clock of the device is wrong.
        signer.adopt(time: time)
        return try await send(signed(request, path, body), limit, meter, cut)
    }

    private func signed(_ request: URLRequest, _ path: String, _ body: [UInt8]?) -> URLRequest {
        var request = request
        let headers = signer.headers(request.httpMethod ?? "", path, account: account, body: body ?? [])
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    private func send(
        _ request: URLRequest, _ limit: Int, _ meter: Meter?, _ cut: (Answer) -> Void
    ) async throws -> Answer {
        do {
            return try await exchanges.send(session.dataTask(with: request), limit: limit, meter)
        } catch let error as HTTPFailure {
            cut(error.part)
            guard let reason = error.reason else { throw CancellationError() }
            throw failure(reason)
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

/// The reason that a request has no answer, and what arrived of it.
struct HTTPFailure: Error {
    /// Nil if the task was cancelled.
    let reason: String?
    let part: HTTPClient.Answer
}

/// The requests in progress.
private final class HTTPExchanges: NSObject, URLSessionDataDelegate, Sendable {
    private struct Exchange {
        let continuation: CheckedContinuation<HTTPClient.Answer, any Error>
        let limit: Int
        let meter: HTTPClient.Meter?
        var answer = HTTPClient.Answer(status: 0, bytes: [])
    }

    private let exchanges = Mutex<[Int: Exchange]>([:])

    func send(
        _ task: URLSessionDataTask, limit: Int, _ meter: HTTPClient.Meter?
    ) async throws -> HTTPClient.Answer {
        let number = task.taskIdentifier
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchanges.withLock {
                    $0[number] = Exchange(continuation: continuation, limit: limit, meter: meter)
                }
                if Task.isCancelled { fail(number, nil) } else { task.resume() }
            }
        } onCancel: {
            // The caller does not wait for the end of the connection.
            fail(number, nil)
            task.cancel()
        }
    }

    /// - Parameter reason: Nil if the task was cancelled.
    private func fail(_ number: Int, _ reason: String?) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: number) }
        guard let exchange else { return }
        exchange.continuation.resume(throwing: HTTPFailure(reason: reason, part: exchange.answer))
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let answer = response as? HTTPURLResponse
        let status = answer?.statusCode ?? 0
        let time = answer?.value(forHTTPHeaderField: SignedRequest.timeHeader).flatMap { Int64($0) }
        exchanges.withLock { exchanges in
            exchanges[dataTask.taskIdentifier]?.answer.status = status
            exchanges[dataTask.taskIdentifier]?.answer.time = time
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let number = dataTask.taskIdentifier
        let isTooLarge = exchanges.withLock { exchanges in
            // The bytes must not be copied for each part.
            guard let place = exchanges.index(forKey: number) else { return false }
            let count = exchanges.values[place].answer.bytes.count + data.count
            guard count <= exchanges.values[place].limit else {
                // What is too long is not a part of the entry.
                exchanges.values[place].answer.bytes = []
                return true
            }
            exchanges.values[place].answer.bytes += data
            return false
        }
        guard isTooLarge else { return report(number) }
        fail(number, "its answer is too long")
        dataTask.cancel()
    }

    private func report(_ number: Int) {
        let progress = exchanges.withLock { exchanges -> (HTTPClient.Meter, Int)? in
            guard let exchange = exchanges[number], [200, 206].contains(exchange.answer.status) else { return nil }
            return exchange.meter.map { ($0, exchange.answer.bytes.count) }
        }
        if let (meter, count) = progress { meter.receive(count) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let number = task.taskIdentifier
        if let error { return fail(number, error.localizedDescription) }
        guard let exchange = exchanges.withLock({ $0.removeValue(forKey: number) }) else { return }
        exchange.continuation.resume(returning: exchange.answer)
    }
}
