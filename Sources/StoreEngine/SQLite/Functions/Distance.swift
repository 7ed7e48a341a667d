internal import Foundation

/// `distance_between(lat1, lng1, lat2, lng2)`: metres between two points in degrees, on a sphere.
///
/// NULL gives NULL. The Earth is not a sphere: the true distance is up to 0.56 % off.
///
/// The formula: R. W. Sinnott, "Virtues of the Haversine", Sky and Telescope 68 (1984), p. 159. It is exact for near
/// points; for antipodal points it is accurate to a meter. The radius is the mean radius R₁ of the Earth's ellipsoid
/// (H. Moritz, "Geodetic Reference System 1980", Journal of Geodesy 74 (2000), p. 128), in metres.
package enum Distance {
    static let earthRadius = 6_371_008.8

    static let function = EngineFunction(builtIn: "distance_between", argumentCount: 4) { call in
        guard let a = try call.arguments.number(0), let b = try call.arguments.number(1),
            let c = try call.arguments.number(2), let d = try call.arguments.number(3)
        else { return }
        guard abs(a) <= 90, abs(c) <= 90 else { throw FunctionFailure("A latitude is not between -90 and 90") }
        guard b.isFinite, d.isFinite else { throw FunctionFailure("A longitude is not finite") }
        try call.give(.real(metres(from: (a, b), to: (c, d))))
    }

    /// The distance between two points, each given by latitude and longitude in degrees.
    package static func metres(
        from a: (latitude: Double, longitude: Double), to b: (latitude: Double, longitude: Double)
    ) -> Double {
        let degree = Double.pi / 180
        let byLatitude = sin((b.latitude - a.latitude) * degree / 2)
        // A longitude may exceed one turn, and the sine of a large angle is inaccurate.
        let turn = (b.longitude - a.longitude).remainder(dividingBy: 360)
        let byLongitude = sin(turn * degree / 2)
        let haversine =
            byLatitude * byLatitude + cos(a.latitude * degree) * cos(b.latitude * degree) * byLongitude * byLongitude
        // Rounding can exceed 1, where the arc sine is undefined.
        return 2 * earthRadius * asin(min(1, haversine.squareRoot()))
    }
}
