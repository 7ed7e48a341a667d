import PersistentObjects

/// A row with four references, whose targets come in no order.
final class Flight: PersistentObject {
    var number = 0
    @Indexed var delay = 0
    var origin: Airport?
    var destination: Airport?
    var plane: Plane?
    var airline: Airline?
}

final class Airport: PersistentObject {
    var name = ""
}

final class Airline: PersistentObject {
    var name = ""
}

final class Plane: PersistentObject {
    var name = ""
    @Inverse(\Flight.plane) var flights: [Flight]
}

enum FlightData {
    static func save(rows: Int, in session: Session) throws {
        let airports = (0..<100).map { number in
            let airport = Airport()
            airport.name = "Airport \(number)"
            return airport
        }
        let airlines = (0..<16).map { number in
            let airline = Airline()
            airline.name = "Airline \(number)"
            return airline
        }
        let planes = (0..<max(1, rows / 100)).map { number in
            let plane = Plane()
            plane.name = "Plane \(number)"
            return plane
        }
        try session.save(airports)
        try session.save(airlines)
        try session.save(planes)
        var generator = SeededGenerator()
        try session.save(
            (0..<rows).map { number in
                let flight = Flight()
                (flight.number, flight.delay) = (number, Int.random(in: 0..<rows, using: &generator))
                (flight.origin, flight.destination) = (
                    airports.randomElement(using: &generator), airports.randomElement(using: &generator)
                )
                (flight.plane, flight.airline) = (
                    planes.randomElement(using: &generator), airlines.randomElement(using: &generator)
                )
                return flight
            })
    }
}

private final class FloorFlight {
    let id: Int64
    let number, delay: Int
    let origin, destination, plane, airline: FloorNamed?

    init(_ row: FloorStatement, _ targets: FloorTargets) {
        (id, number, delay) = (row.integer(0), Int(row.integer(1)), Int(row.integer(2)))
        (origin, destination) = (targets.airports[row.integer(3)], targets.airports[row.integer(4)])
        (plane, airline) = (targets.planes[row.integer(5)], targets.airlines[row.integer(6)])
    }

    var nameLength: Int { (origin?.name.utf8.count ?? 0) + (plane?.name.utf8.count ?? 0) }
}

/// The objects that flights refer to, kept in memory.
private struct FloorTargets {
    let airports, planes, airlines: [Int64: FloorNamed]

    init(_ database: FloorDatabase) throws {
        airports = try FloorNamed.all(database.prepare("SELECT id, name FROM airport"))
        planes = try FloorNamed.all(database.prepare("SELECT id, name FROM plane"))
        airlines = try FloorNamed.all(database.prepare("SELECT id, name FROM airline"))
    }
}

private let columns = "id, number, delay, origin_id, destination_id, plane_id, airline_id"

extension Flight {
    fileprivate var nameLength: Int { (origin?.name.utf8.count ?? 0) + (plane?.name.utf8.count ?? 0) }
}

func flightWorks() -> [Comparison] {
    [
        Comparison(
            "fetch all, four references in no order", .references, .ratio(1.3), on: .flights,
            ours: { trial in
                try trial.inSession(using: Flight.self, Plane.self) { _ in
                    try withAll({ try Flight.all() }) { $0.nameLength }
                }
            },
            floor: { trial in
                try trial.onDatabase { database in
                    let flights = try database.prepare("SELECT \(columns) FROM flight")
                    return try withAll(
                        {
                            let targets = try FloorTargets(database)
                            return try flights.rows { FloorFlight($0, targets) }
                        }, { $0.nameLength })
                }
            }),
        pages("held", 1.4, held: true),
        pages("not held", 2, held: false),
        Comparison(
            "all planes including their flights", .references, .ratio(1.4), on: .flights,
            ours: { trial in
                try trial.inSession(using: Flight.self, Plane.self) { _ in
                    try Measurement.timing {
                        try Plane.query.including(\.flights).all().reduce(0) { sum, plane in
                            plane.flights.reduce(sum) { $0 &+ $1.number }
                        }
                    }
                }
            },
            floor: { trial in
                try trial.onDatabase { database in
                    let flights = try database.prepare("SELECT \(columns) FROM flight")
                    return try Measurement.timing {
                        let targets = try FloorTargets(database)
                        var flightsOf: [Int64: [FloorFlight]] = [:]
                        for flight in try flights.rows({ FloorFlight($0, targets) }) {
                            if let plane = flight.plane { flightsOf[plane.id, default: []].append(flight) }
                        }
                        return targets.planes.keys.reduce(0) { sum, plane in
                            flightsOf[plane, default: []].reduce(sum) { $0 &+ $1.number }
                        }
                    }
                }
            }),
    ]
}

/// Consecutive pages of 100 in the order of an indexed number. The objects that they refer to are held in memory, or
/// are released with each page.
private func pages(_ name: String, _ budget: Double, held isHeld: Bool) -> Comparison {
    Comparison(
        "pages of 100 with four references, \(name)", .references, .ratio(budget), on: .flights,
        operations: { _ in 100 },
        ours: { trial in
            try trial.inSession(using: Flight.self, Plane.self) { _ in
                let held: [PersistentObject] = isHeld ? try Airport.all() + Airline.all() + Plane.all() : []
                let order = Flight.query.order(by: \.delay)
                return try withExtendedLifetime(held) {
                    try Measurement.timing {
                        var sum = 0
                        var page = try order.limit(100).all()
                        for _ in 0..<100 {
                            guard let last = page.last else { break }
                            sum &+= page.reduce(0) { $0 &+ $1.nameLength }
                            page = try order.after(last, limit: 100)
                        }
                        return sum
                    }
                }
            }
        },
        floor: { trial in
            try trial.onDatabase { database in
                let first = try database.prepare("SELECT \(columns) FROM flight ORDER BY delay, id LIMIT 100")
                let next = try database.prepare(
                    "SELECT \(columns) FROM flight WHERE (delay, id) > (?1, ?2) ORDER BY delay, id LIMIT 100")
                let targets = try FloorTargets(database)
                return try Measurement.timing {
                    var sum = 0
                    var page = try first.rows { FloorFlight($0, targets) }
                    for _ in 0..<100 {
                        guard let last = page.last else { break }
                        sum &+= page.reduce(0) { $0 &+ $1.nameLength }
                        try next.bind(Int64(last.delay), at: 1)
                        try next.bind(last.id, at: 2)
                        page = try next.rows { FloorFlight($0, targets) }
                    }
                    return sum
                }
            }
        })
}
