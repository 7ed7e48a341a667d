#if PostgreSQL
    import Foundation
    import PersistentObjects
    import TestSupport

    struct CopiedSeat: Codable, Equatable {
        var city = ""
        var zip: String?
        var floor = 0
    }

    struct CopiedExtra: Codable, Equatable {
        var note = ""
        var level: Int?
        var colors: [String] = []
    }

    final class CopiedCompany: PersistentObject {
        var name = ""
        @Embedded var seat = CopiedSeat()
        @Inverse(\CopiedPerson.employer) var people: [CopiedPerson]
        var owner: CopiedPerson?
    }

    class CopiedPerson: PersistentObject {
        @Indexed var name = ""
        var nick: String?
        var born: Date?
        var salary = Decimal(0)
        var employer: CopiedCompany?
        var tags: Set<String> = []
        var scores: [Double] = []
        var extra = CopiedExtra()
        @Lazy var photo: Data?
        @Inverse(\CopiedOrder.customer, onDelete: .cascade) var orders: [CopiedOrder]
    }

    final class CopiedChief: CopiedPerson {
        var bonus = 0.0
        var rates: Set<Decimal> = []
    }

    final class CopiedCountry: PersistentObject {
        override class var identity: Identity { .string }
        var name = ""
        var neighbors: Set<CopiedCountry> = []
    }

    final class CopiedTool: PersistentObject {
        override class var identity: Identity { .uuid }
        var name = ""
        var maker: CopiedCountry?
        var marks: [String: Int] = [:]
        var serial: UUID?
    }

    final class CopiedOrder: PersistentObject {
        var total = Decimal(0)
        var customer: CopiedPerson?
        var lines: [CopiedLine] = []
        var at = Date(timeIntervalSinceReferenceDate: 0)
        var isOpen = true
    }

    final class CopiedLine: PersistentObject {
        var count = 0
        var tool: CopiedTool?
        var price: Decimal?
    }

    final class CopiedNote: PersistentObject {
        override class var softDeletes: Bool { true }
        var text = ""
        var deletedAt: Date?
        var about: CopiedPerson?
    }

    final class CopiedAccount: PersistentObject {
        @Unique var code = ""
        var balance = 0
    }

    final class CopiedVisit: PersistentObject {
        var page = ""
        var createdAt: Date?
        var updatedAt: Date?
        var by: CopiedPerson?
    }

    /// A class with a history.
    final class CopiedDiary: PersistentObject {
        override class var keepsHistory: Bool { true }
        var title = ""
        var mood: Double?
        var price = Decimal(0)
        var tags: Set<String> = []
        var pages: [String] = []
    }

    /// A shop with ten classes, as a program that outgrew its file could have.
    enum CopiedShop {
        static let classes: [PersistentObject.Type] = [
            CopiedCompany.self, CopiedPerson.self, CopiedCountry.self, CopiedTool.self, CopiedOrder.self,
            CopiedLine.self, CopiedNote.self, CopiedAccount.self, CopiedVisit.self,
        ]

        private static let words = [
            "", "a", "A", "É", "e\u{301}", "Straße", "ﬁn", "İstanbul", "ΑΣ", "ας", "𐐀", "x%y", "x_y", "x\\y", "O'Hara",
            "日本", "👩‍👩‍👧", "\u{FFFD}", "\u{10FFFF}", "a\nb", "a\tb", "\u{1}",
        ]
        private static let days: [Double] = [
            0, -978_307_200.5, 86399.999, -86400, -63_113_904_000, 252_423_993_600, 0.125, -3_155_673_600,
        ]
        private static let amounts = ["0", "0.10", "12345678901234567890.123456789", "-1", "1e20", "1e-30", "-0.5"]

        static func fill(_ session: Session, _ seed: UInt64) throws {
            var random = SeededGenerator(seed: seed)
            func word() -> String { words.randomElement(using: &random) ?? "" }
            func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
            func amount() -> Decimal { amounts.randomElement(using: &random).flatMap { Decimal(string: $0) } ?? 0 }
            func day() -> Date { Date(timeIntervalSinceReferenceDate: days.randomElement(using: &random) ?? 0) }
            let countries = try (0..<6).map { try CopiedCountry(["id": "K\($0)", "name": words[$0 * 3]]) }
            for country in countries {
                country.neighbors = Set(countries.shuffled(using: &random).prefix(number(0...3)))
            }
            try session.save(countries)
            let companies = (0..<8).map { _ in
                let company = CopiedCompany()
                company.name = word()
                company.seat = CopiedSeat(city: word(), zip: number(0...1) == 0 ? nil : word(), floor: number(-2...3))
                return company
            }
            let tools = (0..<10).map { _ in
                let tool = CopiedTool()
                tool.name = word()
                tool.maker = number(0...2) == 0 ? nil : countries.randomElement(using: &random)
                tool.marks = ["a": number(-5...5), "q" + word(): number(0...3)]
                tool.serial = number(0...1) == 0 ? nil : UUID()
                return tool
            }
            try session.save(tools)
            let people = (0..<60).map { place in
                let person = place % 5 == 0 ? CopiedChief() : CopiedPerson()
                person.name = word()
                person.nick = number(0...2) == 0 ? nil : word()
                person.born = number(0...3) == 0 ? nil : day()
                person.salary = amount()
                person.employer = number(0...3) == 0 ? nil : companies.randomElement(using: &random)
                person.tags = Set((0..<number(0...3)).map { _ in word() })
                person.scores = (0..<number(0...5)).map { _ in Double(number(-9...9)) / 4 } + [0, -0.0, .infinity]
                person.extra = CopiedExtra(
                    note: word(), level: number(0...1) == 0 ? nil : number(-3...3),
                    colors: (0..<number(0...2)).map { _ in word() })
                if number(0...2) == 0 { person.photo = Data((0..<number(0...20)).map { UInt8($0 * 13 & 255) }) }
                if let chief = person as? CopiedChief {
                    chief.bonus = Double(number(-4...4)) / 8
                    chief.rates = Set((0..<number(0...4)).map { _ in amount() })
                }
                return person
            }
            try session.save(people)
            for company in companies { company.owner = people.randomElement(using: &random) }
            try session.save(companies)
            for person in people.prefix(30) {
                let order = CopiedOrder()
                (order.customer, order.total, order.at) = (person, amount(), day())
                order.lines = (0..<number(0...4)).map { _ in
                    let line = CopiedLine()
                    line.count = number(-9...9)
                    line.tool = number(0...2) == 0 ? nil : tools.randomElement(using: &random)
                    line.price = number(0...2) == 0 ? nil : amount()
                    return line
                }
                try order.save()
            }
            for place in 0..<12 {
                let note = CopiedNote()
                (note.text, note.about) = (word(), people[place])
                try note.save()
                if place % 3 == 0 { try note.delete() }
            }
            for place in 0..<5 {
                let (account, visit) = (CopiedAccount(), CopiedVisit())
                (account.code, account.balance) = ("c\(place)", 100)
                (visit.page, visit.by) = (word(), people[place])
                try account.save()
                try visit.save()
            }
            // Ids are not consecutive.
            try people[7].delete()
        }

        /// All values of all objects, read by the public interface.
        static func contents(_ store: Store) throws -> [String] {
            try store.withSession { _ in
                var lines: [String] = []
                for company in try CopiedCompany.query.order(by: \.id).all() {
                    lines.append(
                        "\(company.name) \(company.seat) \(company.people.map(\.id)) \(company.owner?.id ?? 0)")
                }
                for person in try CopiedPerson.query.order(by: \.id).all() {
                    let chief = person as? CopiedChief
                    lines.append(
                        "\(person.id ?? 0) \(person.name) \(person.nick ?? "nil") \(person.salary) "
                            + "\(person.born?.timeIntervalSinceReferenceDate ?? 1) \(person.tags.sorted()) "
                            + "\(person.scores.map { $0 + 0 }) \(person.extra) \(person.photo?.count ?? -1) \(person.photo.map { Array($0.prefix(20)) } ?? []) "
                            + "\(person.orders.map(\.id)) \(chief?.bonus ?? -1) \(chief?.rates.sorted() ?? [])")
                }
                for tool in try CopiedTool.query.order(by: \.name).all().sorted(by: {
                    "\($0.key as Any)" < "\($1.key as Any)"
                }) {
                    lines.append(
                        "\(tool.key as Any) \(tool.name) \(tool.maker?.name ?? "nil") \(tool.serial?.uuidString ?? "nil") "
                            + "\(tool.marks.sorted { $0.key < $1.key })")
                }
                for country in try CopiedCountry.query.order(by: \.name).all() {
                    lines.append("\(country.key as Any) \(country.name) \(country.neighbors.map(\.name).sorted())")
                }
                for order in try CopiedOrder.query.order(by: \.id).all() {
                    let rows = order.lines.map { "\($0.count) \($0.price ?? -1) \($0.tool?.name ?? "nil")" }
                    lines.append(
                        "\(order.id ?? 0) \(order.total) \(order.at.timeIntervalSince1970) \(order.isOpen) \(rows)")
                }
                for note in try CopiedNote.withDeleted.order(by: \.id).all() {
                    lines.append("\(note.id ?? 0) \(note.text) \(note.deletedAt as Any) \(note.about?.id ?? 0)")
                }
                for account in try CopiedAccount.query.order(by: \.id).all() {
                    lines.append("\(account.id ?? 0) \(account.code) \(account.balance)")
                }
                for visit in try CopiedVisit.query.order(by: \.id).all() {
                    lines.append("\(visit.id ?? 0) \(visit.page) \(visit.createdAt as Any) \(visit.updatedAt as Any)")
                }
                return lines
            }
        }
    }
#endif
