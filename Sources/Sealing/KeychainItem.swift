#if canImport(Security)
    internal import Foundation
    internal import Security
    internal import StoreEngine

    /// A keyring in the keychain of an Apple platform.
    struct KeychainItem {
        let name: String

        private var query: [CFString: Any] {
            [kSecClass: kSecClassGenericPassword, kSecAttrService: "PersistentObjects", kSecAttrAccount: name]
        }

        /// Nil if there is no item.
        func read() throws(StoreError) -> KeyContent? {
            var query = query
            query[kSecReturnData] = true
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            guard status != errSecItemNotFound else { return nil }
            guard status == errSecSuccess, let data = result as? Data else { throw failure("read", status) }
            guard let content = KeyContent(Array(data)) else {
                throw StoreError(.damaged, "The keychain item \(name) is not a keyring")
            }
            return content
        }

        func write(_ content: KeyContent) throws(StoreError) {
            let values: [CFString: Any] = [
                kSecValueData: Data(content.bytes),
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            var status = SecItemUpdate(query as CFDictionary, values as CFDictionary)
            if status == errSecItemNotFound {
                status = SecItemAdd(query.merging(values) { $1 } as CFDictionary, nil)
            }
            guard status == errSecSuccess else { throw failure("written", status) }
        }

        private func failure(_ verb: String, _ status: OSStatus) -> StoreError {
            StoreError(.cannotOpen, "The keychain item \(name) cannot be \(verb) (status \(status))")
        }
    }
#endif
