#if Inspector
    import Foundation
    import PersistentObjects
    import TestSupport

    final class Maker: PersistentObject {
        var name = ""
        var city: String?
        @Inverse(\Gadget.maker, onDelete: .deny) var gadgets: [Gadget] = []
    }

    enum Condition: String, Codable, CaseIterable {
        case new, used, broken
    }

    struct Dimensions: Codable {
        var width = 0
        var height = 0
    }

    final class Gadget: PersistentObject {
        override class var keepsHistory: Bool { true }
        @Indexed var name = ""
        var price = 0
        var condition = Condition.new
        var isSold = false
        var built: Date?
        var size = Dimensions()
        var photo = Data()
        var tags: [String] = []
        var maker: Maker?
        var parts: [Gadget] = []
        @Inverse(\Review.gadget, onDelete: .cascade) var reviews: [Review] = []
    }

    final class Review: PersistentObject {
        var text = ""
        var stars = 0
        var gadget: Gadget?
        var saveCount = 0

        override func willSave() { saveCount += 1 }
        override func validate(_ problems: inout Problems) { problems.require(\Review.stars, in: 0...5) }
    }

    let hostileName = "<img src=x onerror=\"alert('1')\"> & co"

    /// A picture of one pixel.
    let pixel =
        Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
        ?? Data()

    /// The path of a closed store with makers, a number of gadgets, and reviews.
    func makeServedFile(_ file: TemporaryStore, gadgets count: Int = 3) throws -> String {
        let store = try file.open(configuration: .init(journal: .rollback))
        try fillServedStore(store, gadgets: count)
        store.close()
        return file.path
    }

    func fillServedStore(_ store: Store, gadgets count: Int) throws {
        try store.withSession { session in
            session.author = "Ada"
            let (maker, other) = (Maker(), Maker())
            (maker.name, other.name, other.city) = (hostileName, "Acme", "Graz")
            let gadgets = (0..<count).map { number in
                let gadget = Gadget()
                (gadget.name, gadget.price, gadget.maker) = (
                    "gadget \(number)", number, number % 3 == 2 ? other : maker
                )
                gadget.condition = [.new, .used, .used, .broken][number % 4]
                gadget.isSold = number.isMultiple(of: 2)
                gadget.built = number % 5 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(number) * 86400)
                gadget.size = Dimensions(width: number, height: 2 * number)
                gadget.photo = number == 0 ? pixel : Data([UInt8(number & 255), 0xAB])
                gadget.tags = (0..<number % 3).map { "tag \($0)" }
                return gadget
            }
            if count > 2 { gadgets[0].parts = [gadgets[1], gadgets[2]] }
            try session.save([maker, other])
            try session.save(gadgets)
            for number in 0..<min(count, 2) {
                let review = Review()
                (review.text, review.stars, review.gadget) = ("good\nvery good", 5 - number, gadgets[0])
                try review.save()
            }
            if let first = gadgets.first {
                first.price = 7
                try first.save()
            }
        }
    }
#endif
