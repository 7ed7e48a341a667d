internal import Foundation
internal import Sealing
internal import Synchronization

/// The signature of a request to a service, with the key of the device that sends it.
///
/// A signature covers the method, the path, the account, the time and the body, so it cannot be used for another request,
/// and not after its time.
package struct SignedRequest: Sendable {
    /// How long a signature is accepted, before and after its time, in seconds.
    package static let tolerance: Int64 = 300

    /// The header with the time of the service, in seconds since 1970, in the answer to a request with another time.
    package static let timeHeader = "X-Sync-Time"

    /// The names of the headers, in the order of `init(headers:)`.
    package static let headers = ["X-Sync-Key", "X-Sync-Date", "X-Sync-Body", "X-Sync-Signature"]

    /// The public key of the device.
    package let key: [UInt8]
    /// The time, in seconds since 1970.
    package let date: Int64
    /// The hash of the body.
    private let body: [UInt8]
    private let signature: [UInt8]

    /// Reads headers; nil if one is missing or has another form.
    package init?(headers: [String?]) {
        func bytes(_ text: String?, _ count: Int) -> [UInt8]? {
            guard let data = text.flatMap({ Data(base64Encoded: $0) }), data.count == count else { return nil }
            return Array(data)
        }
        guard headers.count == 4, let key = bytes(headers[0], 32), let date = headers[1].flatMap({ Int64($0) }),
            let body = bytes(headers[2], 32), let signature = bytes(headers[3], 64)
        else { return nil }
        (self.key, self.date, self.body, self.signature) = (key, date, body, signature)
    }

    /// Whether the device signed this request, apart from its body.
    package func isValid(_ method: String, _ path: String, account: String) -> Bool {
        let text = Self.text(method, path, account, date, body)
        return Sealing.isSignature(signature[...], of: text[...], by: key)
    }

    /// Whether the request was signed at about this time.
    package func isCurrent(at time: Int64) -> Bool {
        let (difference, isTooFar) = time.subtractingReportingOverflow(date)
        return !isTooFar && difference.magnitude <= UInt64(Self.tolerance)
    }

    /// Whether the request was signed with this body.
    package func isSignature(of body: [UInt8]) -> Bool { self.body == Self.hash(body) }

    fileprivate static func text(
        _ method: String, _ path: String, _ account: String, _ date: Int64, _ body: [UInt8]
    ) -> [UInt8] {
        Array("sync-service 1\n\(method)\n\(path)\n\(account)\n\(date)\n".utf8) + body
    }

    fileprivate static func hash(_ body: [UInt8]) -> [UInt8] { Sealing.hash(body, key: Array("request".utf8)) }
}

/// Signs requests with the key of a device; with a random key until the device has set its own.
package final class RequestSigner: Sendable {
    private let signingKey = Mutex(Sealing.random(Sealing.keySize))
    /// How many seconds the service's clock is ahead.
    private let offset = Mutex<Int64>(0)
    private let clock: @Sendable () -> Int64

    package init(clock: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }) {
        self.clock = clock
    }

    /// The signing key: 32 bytes.
    package var key: [UInt8] {
        get { signingKey.withLock { $0 } }
        set { signingKey.withLock { $0 = newValue } }
    }

    /// Adopts the time of the service, because the device's clock may be wrong.
    func adopt(time: Int64) { offset.withLock { $0 = time &- clock() } }

    /// The headers of a request.
    package func headers(
        _ method: String, _ path: String, account: String, body: [UInt8] = []
    ) -> [String: String] {
        let (key, date) = (self.key, clock() &+ offset.withLock { $0 })
        let hash = SignedRequest.hash(body)
        let signature = Sealing.sign(SignedRequest.text(method, path, account, date, hash), with: key)
        func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
        let values = [text(Sealing.publicKey(of: key)), "\(date)", text(hash), text(signature)]
        return Dictionary(uniqueKeysWithValues: zip(SignedRequest.headers, values))
    }
}

/// A transport whose requests a device signs.
protocol SigningTransport: SyncTransport {
    /// The same place with another signer.
    func signing(with signer: RequestSigner) -> any SyncTransport
}
