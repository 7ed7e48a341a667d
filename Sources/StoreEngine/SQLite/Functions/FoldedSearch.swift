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
        end(of: needle, in: text, from: 0) != nil
    }

    /// The end of the first occurrence of a string at or after a position; nil if there is none.
    static func end(of needle: [UInt8], in text: UnsafeRawBufferPointer, from position: Int) -> Int? {
        guard let first = needle.first else { return position }
        return needle.withUnsafeBytes { needle in
            guard let wanted = needle.baseAddress, let base = text.baseAddress else { return nil }
            var place = position
            while place + needle.count <= text.count {
                let count = text.count - needle.count + 1 - place
                guard let found = memchr(base + place, Int32(first), count) else { return nil }
                if memcmp(found, wanted, needle.count) == 0 { return UnsafeRawPointer(found) - base + needle.count }
                place = UnsafeRawPointer(found) - base + 1
            }
            return nil
        }
    }

    /// Whether a string is at a position.
    static func isHere(_ literal: [UInt8], in text: UnsafeRawBufferPointer, at position: Int) -> Bool {
        guard position + literal.count <= text.count else { return false }
        return literal.withUnsafeBytes { literal in
            guard let wanted = literal.baseAddress, let base = text.baseAddress else { return literal.isEmpty }
            return memcmp(base + position, wanted, literal.count) == 0
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
