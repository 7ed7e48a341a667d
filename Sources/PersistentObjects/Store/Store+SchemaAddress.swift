// The address of a schema, for tools that open a store by its address alone.
extension Store {
    /// The address of a server whose connections have a schema as their `search_path`.
    static func address(_ address: String, schema: String) -> String {
        // In `options`, a backslash protects a space or a backslash.
        let name = schema.replacing("\"", with: "\"\"").replacing("\\", with: "\\\\").replacing(" ", with: "\\ ")
        let option = encoded("-csearch_path=\"\(name)\"")
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var settings = parts.count < 2 ? [] : parts[1].split(separator: "&").map(String.init)
        // A second setting `options` would replace the first.
        if let place = settings.lastIndex(where: { $0.hasPrefix("options=") }) {
            settings[place] += "%20\(option)"
        } else {
            settings.append("options=\(option)")
        }
        return "\(parts[0])?\(settings.joined(separator: "&"))"
    }

    /// The text with a percent sign and two digits for each byte that is not an ASCII letter, digit or underscore.
    private static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            let scalar = Unicode.Scalar(byte)
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            if isPlain || scalar == "_" {
                result.unicodeScalars.append(scalar)
            } else {
                result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
            }
        }
        return result
    }
}
