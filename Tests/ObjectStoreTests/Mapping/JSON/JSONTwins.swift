import Foundation
import Testing

@testable import PersistentObjects

/// A value that both the library's decoder and `JSONDecoder` decode.
protocol JSONTwin: Codable {
    static func random(_ random: inout SeededNumbers) -> Self
}

/// Random numbers and strings for random values.
struct SeededNumbers {
    var generator: any RandomNumberGenerator

    mutating func below(_ count: Int) -> Int { Int(generator.next() % UInt64(count)) }

    mutating func text() -> String {
        let parts = [
            "a", "Z", " ", "\"", "\\", "/", "\n", "\t", "\u{0}", "\u{1f}", "é", "e\u{301}", "😀", "\u{2028}", "\u{7f}",
        ]
        return (0..<below(6)).map { _ in parts[below(parts.count)] }.joined()
    }

    mutating func integer() -> Int {
        switch below(5) {
        case 0: below(3) - 1
        case 1: Int(truncatingIfNeeded: generator.next())
        case 2: [Int.max, Int.min, 1 << 53, (1 << 53) + 1, -(1 << 53), 999_999_999_999_999_999][below(6)]
        default: below(100_000)
        }
    }

    mutating func real() -> Double {
        switch below(6) {
        case 0:
            [0, -0.0, 1, 0.1, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, 1e22, 1e23][
                below(9)]
        case 1: Double(integer())
        case 2: Double(below(1000)) / 10
        default:
            Double(bitPattern: generator.next()).isFinite ? Double(bitPattern: generator.next() & ~(1 << 62)) : 0.5
        }
    }
}

enum JSONTwins {
    enum Mood: String, Codable { case good, bad = "ü" }
    enum Rank: Int8, Codable { case low = -1, high = 100 }

    struct Place: Codable {
        var x = 0.0
        var y: Double?
        var name: String?
    }

    indirect enum Tree: Codable {
        case leaf, text(String)
        case pair(left: Tree, right: Tree?, Int)
    }

    class Base: Codable {
        var number = 1
    }

    struct Wide: JSONTwin {
        var text = ""
        var number = 0
        var small: Int8 = 0
        var large: UInt64 = 0
        var real = 0.0
        var maybe: Int?
        var flag = false
        var date = Date(timeIntervalSinceReferenceDate: 0)
        var uuid: UUID?
        var mood = Mood.good
        var rank: Rank?
        var place = Place()
        var places: [Place?] = []
        var numbers: [[Int]] = []
        var texts: [String] = []
        var byName: [String: Int] = [:]
        var byNumber: [Int: String] = [:]
        var tree = Tree.leaf
        var base: Base?
        var range: Range<Int>?

        static func random(_ random: inout SeededNumbers) -> Wide {
            var wide = Wide()
            wide.text = random.text()
            wide.number = random.integer()
            wide.small = Int8(truncatingIfNeeded: random.integer())
            wide.large = random.generator.next() >> UInt64(random.below(64))
            wide.real = random.real()
            wide.maybe = random.below(2) == 0 ? nil : random.integer()
            wide.flag = random.below(2) == 0
            wide.date = Date(timeIntervalSinceReferenceDate: random.real())
            wide.uuid = random.below(2) == 0 ? nil : UUID()
            wide.mood = random.below(2) == 0 ? .good : .bad
            wide.rank = random.below(2) == 0 ? nil : .high
            wide.place = Place(x: random.real(), y: random.below(2) == 0 ? nil : random.real(), name: random.text())
            wide.places = (0..<random.below(3)).map { _ in random.below(2) == 0 ? nil : Place() }
            wide.numbers = (0..<random.below(3)).map { _ in (0..<random.below(4)).map { _ in random.integer() } }
            wide.texts = (0..<random.below(3)).map { _ in random.text() }
            for _ in 0..<random.below(3) { wide.byName["k\(random.below(9))"] = random.integer() }
            for _ in 0..<random.below(3) { wide.byNumber[random.integer()] = random.text() }
            wide.tree = tree(&random, depth: 3)
            wide.base = random.below(2) == 0 ? nil : Base()
            wide.range = random.below(2) == 0 ? nil : 1..<9
            return wide
        }

        private static func tree(_ random: inout SeededNumbers, depth: Int) -> Tree {
            switch depth == 0 ? 0 : random.below(3) {
            case 1: .text(random.text())
            case 2:
                .pair(
                    left: tree(&random, depth: depth - 1),
                    right: random.below(2) == 0 ? nil : tree(&random, depth: depth - 1), random.integer())
            default: .leaf
            }
        }
    }

    /// Types that only `JSONDecoder` decodes.
    struct Special: JSONTwin {
        var data = Data()
        var maybe: Data?
        var link: URL?
        var price: Decimal = 0
        var single: Float = 0
        var wide: Int128 = 0

        static func random(_ random: inout SeededNumbers) -> Special {
            Special(
                data: Data(random.text().utf8), link: URL(filePath: "/a"), price: Decimal(random.below(999)) / 7,
                single: Float(random.below(99)) / 3, wide: Int128(random.integer()))
        }
    }

    /// A type that decodes missing keys and accepts several types.
    struct Lenient: JSONTwin {
        var found: [String] = []
        var number: Int?
        var keys = 0
        var path = ""

        enum CodingKeys: String, CodingKey { case found, number, keys, path, inner, é }

        init() {}

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            if container.contains(.é) { found.append("é") }
            if let number = try? container.decode(Int.self, forKey: .number) {
                self.number = number
            } else if let text = try? container.decode(String.self, forKey: .number) {
                found.append("text \(text)")
            }
            if let inner = try? container.nestedContainer(keyedBy: CodingKeys.self, forKey: .inner) {
                found.append("inner \(inner.allKeys.count) \((try? inner.decodeNil(forKey: .path)) as Bool?)")
            }
            if var list = try? container.nestedUnkeyedContainer(forKey: .found) {
                while !list.isAtEnd {
                    if let text = try? list.decode(String.self) {
                        found.append(text)
                    } else if (try? list.decodeNil()) == true {
                        found.append("nil at \(list.currentIndex) of \(list.count ?? -1)")
                    } else if let real = try? list.decode(Double.self) {
                        found.append("\(real)")
                    } else {
                        break
                    }
                }
            }
            keys = try container.decodeIfPresent(Int.self, forKey: .keys) ?? -1
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(found, forKey: .found)
            if keys % 2 == 0 {
                try container.encode("n", forKey: .number)
            } else {
                try container.encode(number, forKey: .number)
            }
            try container.encode(keys, forKey: .keys)
            if keys % 3 == 0 { try container.encode("é", forKey: .é) }
            if keys % 5 == 0 { try container.encode(["path": path], forKey: .inner) }
        }

        static func random(_ random: inout SeededNumbers) -> Lenient {
            var lenient = Lenient()
            lenient.found = (0..<random.below(3)).map { _ in random.text() }
            lenient.number = random.below(2) == 0 ? nil : random.integer()
            lenient.keys = random.below(30)
            return lenient
        }
    }

    /// A value that is encoded as a single value.
    struct Single: JSONTwin {
        var numbers: [Double] = []

        init(from decoder: any Decoder) throws {
            numbers = try decoder.singleValueContainer().decode([Double].self)
        }
        init(_ numbers: [Double]) { self.numbers = numbers }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(numbers)
        }
        static func random(_ random: inout SeededNumbers) -> Single {
            Single((0..<random.below(5)).map { _ in random.real() })
        }
    }
}
