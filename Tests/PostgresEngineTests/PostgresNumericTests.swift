#if PostgreSQL
    import Foundation
    import StoreEngine
    import Testing

    @testable import PostgresEngine

    @Suite struct PostgresNumericTests {
        private func numeric(_ text: String) -> PostgresNumeric {
            bytes(text).withUnsafeBytes { PostgresNumeric($0) }
        }

        /// Returns the server's binary form of a decimal number, with an implementation independent of the decoder.
        private func bytes(_ text: String) -> [UInt8] {
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
            return fields.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        }

        @Test("integers are exact up to the limits of Int64")
        func whole() {
            for text in ["0", "1", "-1", "9999", "10000", "-10000", "9223372036854775807", "-9223372036854775808"] {
                #expect(numeric(text).whole == Int64(text), "\(text)")
            }
            for text in ["9223372036854775808", "-9223372036854775809", "100000000000000000000", "1.0", "0.5"] {
                #expect(numeric(text).whole == nil, "\(text)")
            }
        }

        @Test("random decimal numbers are decoded and encoded digit by digit", arguments: [1, 2, 3] as [UInt64])
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
                #expect(PostgresNumeric.encoded(text) == bytes(text), "\(text)")
            }
        }

        @Test("numbers with exponents are encoded, and strings that are not numbers are not")
        func encoding() {
            for (text, plain) in [
                ("1e3", "1000"), ("1.5e-7", "0.00000015"), ("-2E+2", "-200"), (".5", "0.5"), ("+7.", "7"), ("-0", "0"),
                ("007", "7"), ("1e20", "1" + String(repeating: "0", count: 20)), ("120e-1", "12.0"),
            ] {
                #expect(PostgresNumeric.encoded(text) == bytes(plain), "\(text)")
            }
            let invalid = ["", "-", ".", "x", "1x", "e5", "1e", "1 ", "NaN", "inf", "0x1", "1.2.3", "١"]
            for text in invalid + ["1e99999", "1e-9223372036854775808"] {
                #expect(PostgresNumeric.encoded(text) == nil, "\(text)")
            }
        }

        @Test("insignificant zeros are omitted, and are not counted as digits")
        func digits() {
            for (text, digits, count) in [
                ("0", "0", 0), ("0.00", "0", 0), ("1.50", "1.5", 2), ("100", "100", 1), ("-100.00", "-100", 1),
                ("0.0010", "0.001", 1), ("12345678901234567890.1234", "12345678901234567890.1234", 24),
            ] {
                #expect(numeric(text).digits == digits && numeric(text).significantDigitCount == count, "\(text)")
            }
        }

        @Test("special values are decoded as infinity and NaN")
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
