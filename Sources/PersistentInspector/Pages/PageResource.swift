internal import PersistentObjects
internal import StoreEngine

/// A file that a page shows or offers.
package struct PageResource: Sendable {
    package let bytes: [UInt8]
    package let type: String
    /// The name under which a browser stores it; nil if it is shown.
    package let attachment: String?

    /// The value of a property. It is shown only if it is a picture by its bytes, whatever the file calls it.
    static func data(_ call: PageCall, _ className: String, _ id: String, _ name: String) throws -> PageResource? {
        let file = try call.file()
        let object = try file.object(file.description(of: className), id)
        guard let property = object.description.properties.first(where: { $0.name == name }), property.hasColumn,
            property.kind == .scalar || property.kind == .value, let value = object.values[name]
        else { return nil }
        let bytes: [UInt8]
        switch value {
        case .blob(let data): bytes = data
        case .text(let text): bytes = Array(text.utf8)
        case .integer, .real, .null: return nil
        }
        if call["shown"] != nil {
            guard let picture = Picture(bytes) else { return nil }
            return PageResource(bytes: bytes, type: picture.rawValue, attachment: nil)
        }
        let kind = property.isJSON ? "json" : "bin"
        let letters = "\(className)-\(object.id)-\(name)".map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        return PageResource(
            bytes: bytes, type: "application/octet-stream", attachment: "\(String(letters)).\(kind)")
    }

    static func drawing(_ svg: String) -> PageResource {
        PageResource(bytes: Array(svg.utf8), type: "image/svg+xml", attachment: nil)
    }
}

/// The kinds of pictures that are shown.
enum Picture: String {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"

    /// Nil if the bytes do not start like a picture.
    init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: Array("GIF87a".utf8)) || bytes.starts(with: Array("GIF89a".utf8)) {
            self = .gif
        } else {
            return nil
        }
    }
}
