import Foundation
import PersistentObjects

/// A row of numbers. Unlike strings, numbers leave little work that is the same on both sides.
final class Reading: PersistentObject {
    var station = ""
    var year = 0
    var month = 0
    var day = 0
    var hour = 0
    var minute = 0
    var pressure = 0
    var temperature = 0.0
    var humidity = 0.0
    var wind = 0.0
    var rain = 0.0
    var isChecked = false
    var at = Date(timeIntervalSinceReferenceDate: 0)
    var count = 0
}

/// A row of optional numbers.
final class SparseReading: PersistentObject {
    var station = ""
    var year: Int?
    var month: Int?
    var day: Int?
    var hour: Int?
    var minute: Int?
    var pressure: Int?
    var temperature: Double?
    var humidity: Double?
    var wind: Double?
    var rain: Double?
    var clouds: Int?
    var snow: Double?
    var count: Int?
}

enum NumberData {
    static func save(rows: Int, in session: Session) throws {
        try session.save(
            (0..<rows).map { number in
                let reading = Reading()
                reading.station = "Station \(number % 100)"
                (reading.year, reading.month, reading.day) = (2000 + number % 24, 1 + number % 12, 1 + number % 28)
                (reading.hour, reading.minute, reading.pressure) = (number % 24, number % 60, 98_000 + number % 4_000)
                (reading.temperature, reading.humidity) = (Double(number % 400) * 0.1, Double(number % 100) * 0.9)
                (reading.wind, reading.rain) = (Double(number % 70) * 0.7, Double(number % 30) * 0.3)
                (reading.isChecked, reading.count) = (number.isMultiple(of: 2), number)
                reading.at = Date(timeIntervalSinceReferenceDate: Double(number) * 3_600.5)
                return reading
            })
        try session.save(
            (0..<rows).map { number in
                let reading = SparseReading()
                reading.station = "Station \(number % 100)"
                (reading.year, reading.month, reading.day) = (2000 + number % 24, 1 + number % 12, 1 + number % 28)
                (reading.hour, reading.minute, reading.pressure) = (number % 24, nil, 98_000 + number % 4_000)
                (reading.temperature, reading.humidity) = (Double(number % 400) * 0.1, nil)
                (reading.wind, reading.rain) = (Double(number % 70) * 0.7, Double(number % 30) * 0.3)
                (reading.clouds, reading.snow, reading.count) = (number % 9, nil, number)
                return reading
            })
    }
}

private final class FloorReading {
    let id: Int64
    let station: String
    let year, month, day, hour, minute, pressure: Int
    let temperature, humidity, wind, rain: Double
    let isChecked: Bool
    let at: Date
    let count: Int

    init(_ row: FloorStatement) {
        (id, station) = (row.integer(0), row.text(1))
        (year, month, day) = (Int(row.integer(2)), Int(row.integer(3)), Int(row.integer(4)))
        (hour, minute, pressure) = (Int(row.integer(5)), Int(row.integer(6)), Int(row.integer(7)))
        (temperature, humidity, wind, rain) = (row.real(8), row.real(9), row.real(10), row.real(11))
        isChecked = row.integer(12) != 0
        at = Date(timeIntervalSinceReferenceDate: row.real(13))
        count = Int(row.integer(14))
    }
}

private final class FloorSparseReading {
    let id: Int64
    let station: String
    let year, month, day, hour, minute, pressure: Int?
    let temperature, humidity, wind, rain: Double?
    let clouds: Int?
    let snow: Double?
    let count: Int?

    init(_ row: FloorStatement) {
        (id, station) = (row.integer(0), row.text(1))
        (year, month, day) = (row.optionalInteger(2), row.optionalInteger(3), row.optionalInteger(4))
        (hour, minute, pressure) = (row.optionalInteger(5), row.optionalInteger(6), row.optionalInteger(7))
        (temperature, humidity) = (row.optionalReal(8), row.optionalReal(9))
        (wind, rain) = (row.optionalReal(10), row.optionalReal(11))
        (clouds, snow, count) = (row.optionalInteger(12), row.optionalReal(13), row.optionalInteger(14))
    }
}

func numberWorks() -> [Comparison] {
    [
        Comparison(
            "fetch all, 13 numbers and a text", .reading, .ratio(1.25), on: .numbers,
            ours: { trial in
                try trial.inSession(using: Reading.self, Reading.self) { _ in
                    try withAll({ try Reading.all() }) { $0.count &+ Int($0.rain) }
                }
            },
            floor: { trial in
                try trial.onDatabase { database in
                    let statement = try database.prepare(
                        """
                        SELECT id, station, year, month, day, hour, minute, pressure, temperature, humidity, wind, rain,
                        is_checked, at, count FROM reading
                        """)
                    return try withAll({ try statement.rows(FloorReading.init) }) { $0.count &+ Int($0.rain) }
                }
            }),
        Comparison(
            "fetch all, 13 optional numbers and a text", .reading, .ratio(1.25), on: .numbers,
            ours: { trial in
                try trial.inSession(using: SparseReading.self, SparseReading.self) { _ in
                    try withAll({ try SparseReading.all() }) { ($0.count ?? 0) &+ Int($0.rain ?? 0) }
                }
            },
            floor: { trial in
                try trial.onDatabase { database in
                    let statement = try database.prepare(
                        """
                        SELECT id, station, year, month, day, hour, minute, pressure, temperature, humidity, wind, rain,
                        clouds, snow, count FROM sparse_reading
                        """)
                    return try withAll({ try statement.rows(FloorSparseReading.init) }) {
                        ($0.count ?? 0) &+ Int($0.rain ?? 0)
                    }
                }
            }),
    ]
}
