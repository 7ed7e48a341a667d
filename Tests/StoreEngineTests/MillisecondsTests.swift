import StoreEngine
import TestSupport
import Testing

struct MillisecondsTests {
    @Test(
        arguments: [
            (.zero, 0), (.milliseconds(1500), 1500), (.microseconds(999), 0), (.seconds(-1), 0), (.milliseconds(-1), 0),
            (.seconds(Int64(Int32.max)), .max), (.seconds(Int64.max), .max), (.seconds(Int64.min), 0),
            // The product of the seconds fits, and the sum does not.
            (Duration(secondsComponent: Int64.max / 1000, attosecondsComponent: 999_000_000_000_000_000), .max),
        ] as [(Duration, Int32)])
    func `durations are clamped to the engines' type`(duration: Duration, milliseconds: Int32) {
        expect(duration.wholeMilliseconds, milliseconds)
    }
}
