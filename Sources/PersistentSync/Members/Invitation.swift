package import Foundation
internal import Sealing

/// An invitation to a group: the group and a one-time key, as a code of "PO1-" and 52 characters.
package struct Invitation: Codable, Hashable, Sendable {
    package let group: GroupID
    /// 16 random bytes.
    package let key: Data

    private static let prefix = "PO1-"

    package init(to group: GroupID) {
        self.group = group
        key = Data(Sealing.random(16))
    }

    /// Reads a code. Lowercase letters, spaces and more hyphens are accepted.
    package init(code: String) throws(SyncError) {
        let plain = code.filter { !$0.isWhitespace && $0 != "-" }.uppercased()
        let prefix = Self.prefix.dropLast()
        guard plain.hasPrefix(prefix), let bytes = RecoveryCode.key(of: String(plain.dropFirst(prefix.count))) else {
            throw SyncError(
                .notAuthorised,
                "The text is not an invitation: a code is \"PO1-\" and 52 more characters. Nothing was changed. Copy the "
                    + "whole code")
        }
        group = GroupID(bytes[..<16].reduce(0) { $0 << 8 | UInt128($1) })
        key = Data(bytes[16...])
    }

    package var code: String { Self.prefix + RecoveryCode.text(of: groupBytes + key.bytes) }

    private var groupBytes: [UInt8] {
        stride(from: 120, through: 0, by: -8).map { UInt8(truncatingIfNeeded: group.number >> UInt128($0)) }
    }

    private func derived(_ info: String, _ count: Int) -> [UInt8] {
        Sealing.derive(key.bytes, salt: groupBytes, info: Array(info.utf8), count: count)
    }

    /// The key that encrypts the records of the invitation.
    package var secret: [UInt8] { derived("po invitation", Sealing.keySize) }

    /// What the names of the invitation's records contain. It does not reveal the key.
    package var name: String { HexName.text(derived("po invitation name", 8)) }
}
