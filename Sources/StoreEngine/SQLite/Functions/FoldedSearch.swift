#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// `po_contains(text, folded)`: whether `po_fold(text)` contains a string, as `instr` finds it.
///
/// Only a text that consists of ASCII characters is searched without folding it first: other characters, such as the
/// Kelvin sign, can fold to ASCII letters.
enum FoldedSearch {
    static let function = EngineFunction(builtIn: "po_contains", argumentCount: 2) { call in
        if call.arguments.hasNull { return }
        let needle = try call.kept(forArgument: 1) { Needle(try call.arguments.text(1) ?? "") }
        guard let bytes = try call.arguments.textBytes(0) else {
            // It throws, because the argument is neither NULL nor a text.
            _ = try call.arguments.text(0)
            return
        }
        try call.give(.integer(isFound(needle, in: bytes) { try call.arguments.text(0) ?? "" } ? 1 : 0))
    }

    private final class Needle {
        let bytes: [UInt8]

        init(_ text: String) { bytes = Array(text.utf8) }
    }

    private static func isFound(
        _ needle: Needle, in bytes: UnsafeRawBufferPointer, _ text: () throws -> String
    ) rethrows -> Bool {
        if let isFound = ByteSearch.containsIgnoringCase(bytes, needle.bytes) { return isFound }
        if let folded = LowercaseTable.lowercased(bytes[...]) {
            return folded.withUnsafeBytes { ByteSearch.contains($0, needle.bytes) }
        }
        return Array(CaseFolding.folded(try text()).utf8).withUnsafeBytes { ByteSearch.contains($0, needle.bytes) }
    }
}

/// Searches the bytes of a string for those of another.
enum ByteSearch {
    static func contains(_ text: UnsafeRawBufferPointer, _ needle: [UInt8]) -> Bool {
        guard let first = needle.first else { return true }
        return needle.withUnsafeBytes { needle in
            guard let wanted = needle.baseAddress, var start = text.baseAddress else { return false }
            var left = text.count
            while left >= needle.count, let found = memchr(start, Int32(first), left - needle.count + 1) {
                if memcmp(found, wanted, needle.count) == 0 { return true }
                left -= UnsafeRawPointer(found) + 1 - start
                start = UnsafeRawPointer(found) + 1
            }
            return false
        }
    }

    /// Whether a text contains ASCII characters, its own ASCII letters in lowercase; nil if the text is not ASCII.
    static func containsIgnoringCase(_ text: UnsafeRawBufferPointer, _ needle: [UInt8]) -> Bool? {
        guard ASCII.isASCII(text) else { return nil }
        guard let first = needle.first else { return true }
        guard text.count >= needle.count else { return false }
        return needle.withUnsafeBytes { needle in
            for start in 0...text.count - needle.count where ASCII.lowercased(text[start]) == first {
                var place = 1
                while place < needle.count, ASCII.lowercased(text[start + place]) == needle[place] { place += 1 }
                if place == needle.count { return true }
            }
            return false
        }
    }
}
