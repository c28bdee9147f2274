import { describe, expect, it } from "@jest/globals";
import { countAssertions } from "../../src/floor/count/count-assertions.ts";

/** `count/strong/hollow`. */
function count(path: string, text: string): string | null {
  const tally = countAssertions(path, text);
  return tally === null ? null : `${tally.count}/${tally.strong}/${tally.hollow}`;
}

const inTest = (body: string): string => `test("x", async (t) => { ${body} });`;

describe("assertions in JavaScript and TypeScript", () => {
  it.each([
    ["assert.equal(f(), 2)", "1/1/0"],
    ["assert.strict.deepEqual(f(), [2])", "1/1/0"],
    ["await assert.rejects(f(), TypeError)", "1/1/0"],
    ["assert(f())", "1/0/0"],
    ["assert.ok(f())", "1/0/0"],
    ["assert.ok(f() === 2)", "1/1/0"],
    ["assert.notEqual(f(), 3)", "1/0/0"],
    ["expect(f()).toBe(2)", "1/1/0"],
    ["expect(f()).not.toBe(3)", "1/0/0"],
    ["expect(f()).toBeDefined()", "1/0/0"],
    ["await expect(f()).rejects.toThrow('x')", "1/1/0"],
    ["expect(f()).to.deep.equal([2])", "1/1/0"],
    ["expect(f()).to.be.ok", "1/0/0"],
    ["f().should.equal(2)", "1/1/0"],
    ["t.is(f(), 2)", "1/1/0"],
    ["t.assert.equal(f(), 2)", "1/1/0"],
    ["sinon.assert.calledWith(f, 2)", "1/1/0"],
  ])("counts %s as %s", (body, expected) => {
    expect(count("a.test.js", inTest(body))).toBe(expected);
    expect(count("a.test.ts", inTest(body))).toBe(expected);
  });

  it.each([
    ["a comment", "// assert.equal(f(), 2)\n f()"],
    ["a string", "f('assert.equal(1, 2)', `expect(x).toBe(1)`)"],
    ["an expectation without a matcher", "expect(f())"],
    ["literals only", "assert.equal(1, 1); assert.ok(true); expect(true).toBe(true)"],
    ["code that never runs", "if (false) { assert.equal(f(), 2); }"],
    ["code after a return", "return; assert.equal(f(), 2);"],
    ["a plan", "t.plan(1)"],
  ])("counts nothing in %s, and calls the test hollow", (_, body) => {
    expect(count("a.test.js", inTest(body))).toBe("0/0/1");
  });

  it("knows functions bound from an assertion module by any name", () => {
    expect(
      count("a.test.js", `import { equal as same, ok } from "node:assert/strict"; ${inTest("same(f(), 2); ok(f())")}`),
    ).toBe("2/1/0");
    expect(count("a.test.cjs", `const { deepEqual } = require("assert"); ${inTest("deepEqual(f(), 2)")}`)).toBe(
      "1/1/0",
    );
    expect(count("a.test.js", `import check from "node:assert"; ${inTest("check.equal(f(), 2)")}`)).toBe("1/1/0");
  });

  it("follows helpers of the file, and trusts the names of others", () => {
    const helpers = "function roundTrip(x) { inner(x); } const inner = (x) => { assert.equal(x, 2); };";
    expect(count("a.test.js", `${helpers} ${inTest("roundTrip(1)")}`)).toBe("1/1/0");
    expect(count("a.test.js", inTest("expectSorted(f())"))).toBe("0/0/0");
    expect(count("a.test.js", `function checkNothing() {} ${inTest("checkNothing()")}`)).toBe("0/0/1");
  });

  it("does not call a test hollow whose subtests assert, nor count tests to do", () => {
    expect(count("a.test.js", inTest("await t.test('y', () => { assert.equal(f(), 2); });"))).toBe("1/1/0");
    expect(count("a.test.js", "test.todo('later'); it('pending');")).toBe("0/0/0");
  });

  it("reads types, JSX and syntax errors without falling over", () => {
    expect(count("a.test.ts", inTest("assert.equal<number>(f() as number, 2)"))).toBe("1/1/0");
    expect(count("a.test.tsx", inTest("expect(render(<App a={1} />).text).toBe('x')"))).toBe("1/1/0");
    expect(count("a.test.js", "test('x', () => { assert.equal(f(, 2) ")).not.toBeNull();
  });
});

describe("assertions in other languages", () => {
  it("counts Python's statements, unittest's methods and pytest's contexts", () => {
    const text = [
      "def test_a():",
      "    assert f() == 2",
      "    assert f()",
      "    assert f() is not None",
      "    assert True",
      "    assert 1 == 1",
      "    '''assert f() == 2'''  # assert f() == 2",
      "class TestB(TestCase):",
      "    def test_b(self):",
      "        self.assertEqual(f(), 2)",
      "        self.assertTrue(f())",
      "        with pytest.raises(ValueError):",
      "            f()",
      "    def test_hollow(self):",
      "        f()",
    ].join("\n");
    expect(count("tests/test_a.py", text)).toBe("6/3/1");
  });

  it("counts Go's failures and testify", () => {
    const text = [
      "package a",
      'func TestA(t *testing.T) { if f() != 2 { t.Errorf("no") }; require.Equal(t, 2, f()); assert.NotNil(t, f()) }',
      "func TestHollow(t *testing.T) { f() }",
      "func helper(t *testing.T) { t.Helper() }",
      '// t.Fatal("comment")',
    ].join("\n");
    expect(count("a_test.go", text)).toBe("3/2/1");
  });

  it("counts Rust's macros and expected panics", () => {
    const text = [
      "#[test]\nfn a() { assert_eq!(f(), 2); assert!(f() == 2); assert!(g()); assert!(true); }",
      "#[test]\n#[should_panic]\nfn b() { f(); }",
      "#[test]\nfn hollow() { f(); }",
      "#[test]\nfn unwraps() { f().unwrap(); }",
      '// assert_eq!(1, 2)\nconst S: &str = "assert!(x)";',
    ].join("\n");
    expect(count("src/lib.rs", text)).toBe("4/3/1");
  });

  it("counts JUnit, AssertJ and Mockito", () => {
    const text = [
      "class ATest {",
      "  @Test void a() { assertEquals(2, f()); assertTrue(f()); assertThat(f()).isEqualTo(2); assertThat(f()).isNotNull(); verify(mock).call(); }",
      "  @Test void hollow() { f(); }",
      "  @Test(expected = E.class) public void b() { f(); }",
      '  // assertEquals(1, 2);\n  String s = "assertEquals(1, 2)";',
      "}",
    ].join("\n");
    expect(count("ATest.java", text)).toBe("6/3/1");
  });

  it("says that it cannot count where it has no parser", () => {
    expect(count("a_spec.rb", "expect(f).to eq(2)")).toBeNull();
    expect(count("a.test.js", "x".repeat(1_000_001))).toBeNull();
  });
});
