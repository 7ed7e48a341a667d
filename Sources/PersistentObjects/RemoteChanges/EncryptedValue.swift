/// The encrypted bytes of a value, as devices exchange them.
package enum EncryptedValue {
    /// The hash of a searchable value; nil if the bytes have none.
    package static func hash(of bytes: [UInt8]) -> [UInt8]? { SealedForm.hash(of: .blob(bytes)) }
}
