#if PostgreSQL
    import Foundation
    import StoreEngine
    import Testing

    @testable import PostgresEngine

    @Suite struct PostgresNumericTests {
        /// The server's binary form of a decimal number, made by other rules than it is read by.
        private func numeric(_ text: String) -> PostgresNumeric {
            let isNegative = text.hasPrefix("-")
            let parts = text.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
            let scale = parts.count > 1 ? parts[1].count : 0
            var whole = String(parts[0])
            var decimals = parts.count > 1 ? String(parts[1]) : ""
            while whole.count % 4 != 0 { whole = "0" + whole }
            while decimals.count % 4 != 0 { decimals += "0" }
            let all = Array(whole + decimals)
            var digits = stride(from: 0, to: all.count, by: 4).map { UInt16(String(all[$0..<$0 + 4])) ?? 0 }
            var weight = whole.count / 4 - 1
            while digits.first == 0 {
                digits.removeFirst()
                weight -= 1
            }
            while digits.last == 0 { digits.removeLast() }
            if digits.isEmpty { weight = 0 }
            let fields =
                [UInt16(digits.count), UInt16(bitPattern: Int16(weight)), isNegative ? 0x4000 : 0, UInt16(scale)]
                + digits
            return fields.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }.withUnsafeBytes { PostgresNumeric($0) }
        }

        @Test("whole numbers are exact up to the limits of Int64")
        func whole() {
            for text in ["0", "1", "-1", "9999", "10000", "-10000", "9223372036854775807", "-9223372036854775808"] {
                #expect(numeric(text).whole == Int64(text), "\(text)")
            }
            for text in ["9223372036854775808", "-9223372036854775809", "100000000000000000000", "1.0", "0.5"] {
                #expect(numeric(text).whole == nil, "\(text)")
            }
        }

        @Test("random decimal numbers come out as their digits", arguments: [1, 2, 3] as [UInt64])
        func random(_ seed: UInt64) {
            var state = seed
            func next(_ limit: UInt64) -> UInt64 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return (state >> 33) % limit
            }
            for _ in 0..<2000 {
                let whole = String(next(4) == 0 ? 0 : next(1 << 30))
                let decimals = (0..<next(9)).map { _ in String(next(10)) }.joined()
                var text = decimals.isEmpty ? whole : "\(whole).\(decimals)"
                if next(2) == 0, text.contains(where: { ("1"..."9").contains($0) }) { text = "-" + text }
                #expect(numeric(text).text == text)
                #expect(numeric(text).real == Double(text))
            }
        }

        @Test("what is no number is what Double calls so")
        func special() {
            func special(_ sign: UInt16) -> Double? {
                [0, 0, sign, 0].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }.withUnsafeBytes { PostgresNumeric($0) }
                    .real
            }
            #expect(special(0xD000) == .infinity)
            #expect(special(0xF000) == -.infinity)
            #expect(special(0xC000)?.isNaN == true)
        }
    }
#endif
