import PersistentObjects

/// A target of references.
final class Place: PersistentObject {
    var name = ""
}

/// One reference.
final class Visit: PersistentObject {
    var number = 0
    var text = ""
    var place: Place?
}

/// Four references.
final class Trip: PersistentObject {
    var number = 0
    var text = ""
    var start: Place?
    var end: Place?
    var stop: Place?
    var home: Place?
}

/// One index.
final class Mark: PersistentObject {
    var number = 0
    var text = ""
    @Indexed var key = 0
}

/// A unique number.
final class Article: PersistentObject {
    @Unique var number = 0
    var text = ""
    var stock = 0
}

/// The contents of these tables.
enum VisitData {
    static let text = "text"

    /// The number of places for this many rows: thirty for a thousand.
    static func places(_ rows: Int) -> Int { max(4, rows * 3 / 100) }

    /// The place of a reference of a row, in no order.
    static func place(_ row: Int, _ reference: Int, _ rows: Int) -> Int {
        (row * 7919 + reference * 31) % places(rows)
    }

    /// The key of a row, in no order.
    static func key(_ row: Int) -> Int { row &* 2_654_435_761 & 0xffff_ffff }

    static func savedPlaces(_ rows: Int, _ session: Session) throws -> [Place] {
        let places = (0..<places(rows)).map { _ in Place() }
        try session.save(places)
        return places
    }

    static func visits(_ rows: Int, _ places: [Place]) -> [Visit] {
        (0..<rows).map { row in
            let visit = Visit()
            (visit.number, visit.text, visit.place) = (row, text, places[place(row, 0, rows)])
            return visit
        }
    }

    static func trips(_ rows: Int, _ places: [Place]) -> [Trip] {
        (0..<rows).map { row in
            let trip = Trip()
            (trip.number, trip.text) = (row, text)
            (trip.start, trip.end) = (places[place(row, 0, rows)], places[place(row, 1, rows)])
            (trip.stop, trip.home) = (places[place(row, 2, rows)], places[place(row, 3, rows)])
            return trip
        }
    }

    /// The number of articles for this many rows; every second article exists already.
    static func articleCount(_ rows: Int) -> Int { max(2, rows / 5) }

    static func articles(_ numbers: some Sequence<Int>, stock: Int) -> [Article] {
        numbers.map { number in
            let article = Article()
            (article.number, article.text, article.stock) = (number, text, stock)
            return article
        }
    }

    static func formerArticles(_ rows: Int) -> StrideTo<Int> { stride(from: 0, to: articleCount(rows), by: 2) }

    static func marks(_ rows: Int) -> [Mark] {
        (0..<rows).map { row in
            let mark = Mark()
            (mark.number, mark.text, mark.key) = (row, text, key(row))
            return mark
        }
    }
}
