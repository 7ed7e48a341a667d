/// `po_count(x)`: Swift's `count` of a string, in characters as users perceive them (grapheme clusters).
///
/// NULL gives NULL; a value that is not text is an error.
enum CharacterCount {
    static let function = EngineFunction(builtIn: "po_count", argumentCount: 1) { call in
        // In ASCII only a carriage return can be part of a character.
        if let bytes = try call.arguments.textBytes(0), bytes.allSatisfy({ $0 < 0x80 && $0 != 0x0D }) {
            return try call.give(.integer(Int64(bytes.count)))
        }
        guard let text = try call.arguments.text(0) else { return }
        try call.give(.integer(Int64(text.count)))
    }
}
