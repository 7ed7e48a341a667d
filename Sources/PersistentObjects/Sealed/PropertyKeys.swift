#if Encryption
    internal import Sealing

    /// The keys of one property that are derived from one key of the keyring.
    struct PropertyKeys: Sendable {
        private let number: UInt32
        /// What is authenticated with each value: the property's context, and a byte 0.
        let header: [UInt8]
        let value: [UInt8]
        let hash: Sealing.HashKey

        init(_ number: UInt32, of context: [UInt8], from key: [UInt8]) {
            func derived(_ kind: String) -> [UInt8] {
                Sealing.derive(key, salt: [], info: Array("po value\t\(kind)".utf8) + context, count: Sealing.keySize)
            }
            self.number = number
            header = context + [0]
            value = derived("")
            hash = Sealing.HashKey(derived("hash\t"))
        }
    }

    extension PropertyKeys {
        /// The keys that were derived so far.
        struct Cache {
            /// By a number in which few keys agree, because the name of a property is not copied for a lookup.
            private var keys: [UInt64: [PropertyKeys]] = [:]

            /// The keys for a key of the keyring; nil if they are not derived yet.
            func keys(_ number: UInt32, of context: some Collection<UInt8>) -> PropertyKeys? {
                keys[Cache.place(number, context)]?.first {
                    $0.number == number && $0.header.dropLast().elementsEqual(context)
                }
            }

            mutating func add(_ added: PropertyKeys) {
                keys[Cache.place(added.number, added.header.dropLast()), default: []].append(added)
            }

            /// FNV-1a.
            private static func place(_ number: UInt32, _ context: some Collection<UInt8>) -> UInt64 {
                context.reduce(0xcbf2_9ce4_8422_2325 ^ UInt64(number)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
            }
        }
    }
#endif
