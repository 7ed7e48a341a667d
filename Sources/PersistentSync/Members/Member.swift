// Members: the keys of a group and of its members, and what members state of each other. It knows bytes and keys, and
// must not know transports and stores.

package import Foundation
internal import Sealing

/// A device as the members of a group know it. The same device has different keys in each group, and new ones if it joins
/// a group again.
package struct Member: Codable, Hashable, Sendable {
    package let device: DeviceID
    package let name: String
    /// The public signing key, which identifies the member.
    package let signing: Data
    /// The public key for which secrets are encrypted.
    package let sealing: Data

    package init(_ device: DeviceID, name: String, keys: MemberKeys) {
        (self.device, self.name) = (device, name)
        signing = Data(Sealing.publicKey(of: keys.signing.bytes))
        sealing = Data(Sealing.agreementPublicKey(of: keys.sealing.bytes))
    }

    /// Whether the fields have the form of a member's.
    var isValid: Bool { signing.count == 32 && sealing.count == 32 && name.utf8.count <= 200 }
}

/// The secret keys of a member.
package struct MemberKeys: Codable, Hashable, Sendable {
    package let signing: Data
    package let sealing: Data

    /// Creates new keys.
    package init() {
        signing = Data(Sealing.random(Sealing.keySize))
        sealing = Data(Sealing.random(Sealing.keySize))
    }
}

extension Data {
    var bytes: [UInt8] { Array(self) }
}
