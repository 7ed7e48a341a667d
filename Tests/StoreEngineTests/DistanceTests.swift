import Foundation
import StoreEngine
import TestSupport
import Testing

/// `distance_between` computes meters on a sphere.
@Suite struct DistanceTests {
    private func distance(_ values: DatabaseValue...) throws -> DatabaseValue {
        try withConnection { connection in
            let statement = try connection.prepare("SELECT distance_between(?, ?, ?, ?)")
            for (index, value) in values.enumerated() { try statement.bind(value, at: Int32(index) + 1) }
            _ = try statement.step()
            return try statement.column(0).value()
        }
    }

    private func metres(_ a: (Double, Double), _ b: (Double, Double)) throws -> Double {
        guard case .real(let metres) = try distance(.real(a.0), .real(a.1), .real(b.0), .real(b.1)) else { return .nan }
        return metres
    }

    private static let half = Double.pi * 6_371_008.8

    @Test func `the distance of a point to itself is zero`() throws {
        for point in [(0, 0), (52.52, 13.405), (90, 0), (-90, 77), (0, 180)] as [(Double, Double)] {
            try expect(metres(point, point), 0)
        }
        try expect(metres((0, 180), (0, -180)), 0)
        try expect(metres((10, 370), (10, 10)), 0)
        #expect(try metres((90, 0), (90, 123)) < 1e-6, "a pole is one point at all longitudes")
    }

    @Test func `antipodal points are half a great circle apart`() throws {
        for (a, b) in [
            ((0, 0), (0, 180)), ((90, 0), (-90, 0)), ((90, 50), (-90, -20)), ((45, 10), (-45, -170)),
            ((12.345, 67.89), (-12.345, -112.11)),
        ] as [((Double, Double), (Double, Double))] {
            let found = try metres(a, b)
            #expect(abs(found - Self.half) < 1, "\(a) \(b): \(found)")
        }
    }

    @Test func `known distances are computed correctly`() throws {
        #expect(abs(try metres((0, 0), (0, 90)) - Self.half / 2) < 1e-3)
        #expect(abs(try metres((0, 0), (90, 0)) - Self.half / 2) < 1e-3)
        #expect(abs(try metres((0, 0), (0, 1)) - Self.half / 180) < 1e-3)
        // Berlin and Paris, whose true distance is 878 km; two points across the date line; and a centimeter.
        #expect(abs(try metres((52.52, 13.405), (48.8566, 2.3522)) - 877_464) < 100)
        #expect(abs(try metres((0, 179.5), (0, -179.5)) - Self.half / 180) < 1e-3)
        let near = try metres((50, 10), (50.0000001, 10))
        #expect(abs(near - 0.011119) < 1e-5, "\(near)")
    }

    @Test func `the distance agrees with the angle between two vectors, in both directions`() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            let a = (Double.random(in: -90...90, using: &generator), Double.random(in: -180...180, using: &generator))
            let b = (Double.random(in: -90...90, using: &generator), Double.random(in: -180...180, using: &generator))
            func vector(_ point: (Double, Double)) -> SIMD3<Double> {
                let (latitude, longitude) = (point.0 * .pi / 180, point.1 * .pi / 180)
                return [cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude)]
            }
            let (x, y) = (vector(a), vector(b))
            let difference = x - y
            let sum = x + y
            let angle = 2 * atan2((difference * difference).sum().squareRoot(), (sum * sum).sum().squareRoot())
            let found = Distance.metres(from: a, to: b)
            #expect(abs(found - angle * 6_371_008.8) < 1 && found == Distance.metres(from: b, to: a))
        }
    }

    @Test func `NULL gives NULL, integers are accepted, and strings are rejected`() throws {
        for place in 0..<4 {
            var values: [DatabaseValue] = [.integer(0), .real(0), .integer(0), .integer(90)]
            values[place] = .null
            try expect(distance(values[0], values[1], values[2], values[3]), .null)
            values[place] = .text("0")
            let error = try #require(throws: StoreError.self) {
                _ = try distance(values[0], values[1], values[2], values[3])
            }
            expect(error.message, "distance_between: Argument \(place + 1) is TEXT, expected a number")
        }
        try expect(distance(.integer(0), .integer(0), .integer(0), .integer(0)), .real(0))
    }

    @Test func `invalid coordinates throw an error that does not contain the value`() throws {
        for latitude in [90.001, -91, .infinity, 1e300] as [Double] {
            let error = try #require(throws: StoreError.self) { _ = try metres((latitude, 0), (0, 0)) }
            expect(error.message, "distance_between: A latitude is not between -90 and 90")
            #expect(throws: StoreError.self) { _ = try metres((0, 0), (latitude, 0)) }
        }
        let error = try #require(throws: StoreError.self) { _ = try metres((0, .infinity), (0, 0)) }
        expect(error.message, "distance_between: A longitude is not finite")
        #expect(try metres((0, 1e300), (0, 0)) <= Self.half)
    }
}
