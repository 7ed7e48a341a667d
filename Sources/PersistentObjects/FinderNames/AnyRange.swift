/// A range of any kind with bounds of any type.
protocol AnyRange {
    var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { get }
}

extension ClosedRange: AnyRange {
    var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (lowerBound, upperBound, true) }
}

extension Range: AnyRange {
    var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (lowerBound, upperBound, false) }
}

extension PartialRangeFrom: AnyRange {
    var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (lowerBound, nil, false) }
}

extension PartialRangeThrough: AnyRange {
    var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (nil, upperBound, true) }
}

extension PartialRangeUpTo: AnyRange {
    var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (nil, upperBound, false) }
}
