/// The strings with a common prefix, as a range in the order of their UTF-8 bytes.
package enum TextRange {
    /// The first string after all strings that begin with `prefix`; nil if there is none.
    package static func end(ofPrefix prefix: String) -> String? {
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            // Scalars have the same order as their UTF-8 bytes. There are no scalars from D800 to DFFF.
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let following = Unicode.Scalar(next) else { continue }
            scalars.append(following)
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            return String(text)
        }
        return nil
    }
}
