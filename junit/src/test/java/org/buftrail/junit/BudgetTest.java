package org.buftrail.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import org.buftrail.model.Path;
import org.buftrail.model.Path.Flows;
import org.buftrail.model.ScopeUse;
import org.buftrail.model.Site;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code @BufferBudget} says, and what becomes of it. */
final class BudgetTest {
  private static final Site ENCODE = new Site("com.acme.Codec", "encode", "()V", 12, "");
  private static final Site DECODE = new Site("com.acme.Codec", "decode", "()V", 34, "");
  private static final Leak LEAK = FakeScope.leak("test", true, 2, 256, DECODE);

  @Retention(RetentionPolicy.RUNTIME)
  @BufferBudget(live = 7)
  @interface Frugal {}

  @BufferBudget(peak = "1MiB", allocated = 200, live = 0)
  static class Annotated {
    @BufferBudget(allocated = 3)
    void own() {}

    void none() {}

    @Frugal
    void throughAnother() {}

    @BufferBudget
    void says() {}

    @BufferBudget(allocated = -2)
    void negative() {}

    @BufferBudget(live = -5)
    void alsoNegative() {}
  }

  static class Derived extends Annotated {}

  private static @Nullable Budget of(String method) throws NoSuchMethodException {
    return DeclaredRules.budget(Annotated.class.getDeclaredMethod(method));
  }

  private static String text(@Nullable Budget budget) {
    return budget == null
        ? "none"
        : (budget.peakBytes + " " + budget.allocated + " " + budget.live)
            .replace("" + Budget.UNLIMITED, "any");
  }

  @Test
  void anAnnotationOnMethodClassOrAnotherSaysIt() throws NoSuchMethodException {
    assertThat(text(DeclaredRules.budget(Annotated.class))).isEqualTo("1048576 200 0");
    assertThat(text(DeclaredRules.budget(Derived.class))).isEqualTo("1048576 200 0");
    assertThat(text(of("own"))).isEqualTo("any 3 any");
    assertThat(text(of("throughAnother"))).isEqualTo("any any 7");
    assertThat(text(of("none"))).isEqualTo("none");
  }

  @Test
  void oneThatSaysNothingOrSomethingWrongIsAnError() {
    assertThatThrownBy(() -> of("says"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "@BufferBudget limits nothing: give it peak, allocated or live, such as peak ="
                + " \"1MiB\", on void org.buftrail.junit.BudgetTest$Annotated.says()");
    assertThatThrownBy(() -> of("negative"))
        .hasMessageStartingWith(
            "@BufferBudget(allocated = -2): it is a number of buffers, 0 or more, on void");
    assertThatThrownBy(() -> of("alsoNegative"))
        .hasMessageStartingWith("@BufferBudget(live = -5): it is a number of buffers, 0 or more");
  }

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "17,17",
    "17B,17",
    "3KiB,3072",
    "1MiB,1048576",
    "1 mib,1048576",
    "2GiB,2147483648",
    "8589934591GiB,9223372035781033984"
  })
  void aPeakIsANumberWithAUnit(String text, long bytes) {
    assertThat(Budget.size(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({"1MB", "-1", "MiB", "1.5MiB", "1  MiB", "8589934592GiB", "99999999999999999999"})
  void anyOtherIsAnError(String text) {
    assertThatThrownBy(() -> Budget.size(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "@BufferBudget(peak = \""
                + text
                + "\"): it is a number of B, KiB, MiB or GiB, such as 1MiB");
  }

  private static ScopeUse.OnPath path(Site place, Flows all, Flows peak) {
    return new ScopeUse.OnPath(
        List.of(
            new Path.Hop(FakeScope.ALLOCATOR, "1-2", false, false),
            new Path.Hop(place, "1-2", false, false)),
        true,
        all,
        all,
        Flows.NONE,
        peak);
  }

  private static StackTraceElement frame(String type) {
    return new StackTraceElement(type, "run", "Some.java", 1);
  }

  /** A test that allocated 5 buffers, and had 300 B open at once. */
  private static FakeScope scope(Leak... left) {
    FakeScope scope = new FakeScope("test", now -> List.of(left));
    scope.use =
        new ScopeUse(
            new Flows(5, 500),
            new Flows(5, 500),
            Flows.NONE,
            new Flows(2, 300),
            List.of(
                path(ENCODE, new Flows(1, 260), new Flows(1, 260)),
                path(DECODE, new Flows(4, 240), new Flows(1, 40))),
            List.of(frame("io.netty.buffer.Pool"), frame("com.acme.Count")),
            List.of(frame("io.netty.buffer.Pool"), frame("com.acme.Peak")));
    return scope;
  }

  private static Rules rules(Until until, long peak, long allocated, long live) {
    return new Rules(until, 0, true, false).with(new Budget(peak, allocated, live));
  }

  private static Verdict verdict(FakeScope scope, long peak, long allocated, long live) {
    return Verdict.of(scope, rules(Until.TEST, peak, allocated, live), new Waits(scope));
  }

  @Test
  void aBudgetThatIsKeptToTheByteIsKept() {
    assertThat(verdict(scope(), 300, 5, 0).isClean()).isTrue();
    assertThat(verdict(scope(), 299, 5, 0).isClean()).isFalse();
    assertThat(verdict(scope(), 300, 4, 0).isClean()).isFalse();
    assertThat(verdict(scope(LEAK), 300, 5, 2).isClean()).isTrue();
    assertThat(verdict(scope(LEAK), 300, 5, 1).isClean()).isFalse();
  }

  @Test
  void aMessageHasTheNumbersAndThePathsWithMost() {
    Verdict verdict = verdict(scope(), 299, 4, 0);
    assertThat(verdict.text())
        .isEqualTo(
            """
            test allocated 5 buffers; its budget is 4
              4 buffers, 240 B, direct; last seen
                at com.acme.Codec.decode(Codec.java:34)
                at io.netty.buffer.PooledByteBufAllocator.directBuffer(PooledByteBufAllocator.java)
              1 buffer, 260 B, direct; last seen
                at com.acme.Codec.encode(Codec.java:12)
                at io.netty.buffer.PooledByteBufAllocator.directBuffer(PooledByteBufAllocator.java)
            test had 300 B open at once; its budget is 299 B
              1 buffer, 260 B, direct; last seen
                at com.acme.Codec.encode(Codec.java:12)
                at io.netty.buffer.PooledByteBufAllocator.directBuffer(PooledByteBufAllocator.java)
              1 buffer, 40 B, direct; last seen
                at com.acme.Codec.decode(Codec.java:34)
                at io.netty.buffer.PooledByteBufAllocator.directBuffer(PooledByteBufAllocator.java)\
            """);
    assertThat(verdict.error().getStackTrace()).containsExactly(frame("com.acme.Count"));
    assertThat(verdict(scope(), 299, 5, 0).error().getStackTrace())
        .containsExactly(frame("com.acme.Peak"));
  }

  @Test
  void moreThanMayBeLeftIsSaidBesideThePaths() {
    Verdict verdict = verdict(scope(LEAK), 300, 5, 1);
    assertThat(verdict.text())
        .startsWith("test left 2 buffers open, 256 B; last seen at com.acme.Codec.decode(")
        .endsWith("\ntest left 2 buffers open; its budget is 1");
    assertThat(verdict.error().getStackTrace()[0])
        .hasToString("com.acme.Codec.decode(Codec.java:34)");
  }

  /** What may stay open longer is no leak; the budget says what may be open now. */
  @Test
  void aBudgetHoldsAtTheEndOfATestWhateverMayStayOpen() {
    FakeScope scope = scope(LEAK);
    Waits waits = new Waits(scope);
    Rules kept = rules(Until.CLASS, 300, 5, 2);
    Rules tight = rules(Until.CLASS, 300, 5, 1);
    assertThat(Verdict.ofMisuses(scope, kept, waits).isClean()).isTrue();
    assertThat(Verdict.ofMisuses(scope, tight, waits).text())
        .isEqualTo("test left 2 buffers open; its budget is 1");
    Rules unlooked = rules(Until.FOREVER, 300, 4, Budget.UNLIMITED);
    assertThat(Verdict.ofBudget(scope, unlooked, waits).overruns).hasSize(1);
  }

  @Test
  void anOverrunStaysInAVerdictThatIsNamedAndRidOfLeaks() {
    Verdict verdict = verdict(scope(LEAK), 300, 4, Budget.UNLIMITED);
    for (Verdict each : List.of(verdict, verdict.named("other"), verdict.own())) {
      assertThat(each.overruns).hasSize(1);
    }
    assertThat(verdict.named("other").text()).contains("other allocated 5 buffers");
  }

  @Test
  void whatWasUsedIsToldByPath() {
    BufferUse use = BufferUse.of(scope().use());
    assertThat(use.allocated()).isEqualTo(5);
    assertThat(use.peakBytes()).isEqualTo(300);
    assertThat(use.paths()).extracting(BufferUse::allocatedBytes).containsExactly(260L, 240L);
    assertThat(use.through("Codec.decode").allocated()).isEqualTo(4);
    assertThat(use.through("odec.decode").allocated()).isZero();
    assertThat(use.through("PooledByteBufAllocator.directBuffer").releasedBytes()).isEqualTo(500);
    assertThat(use)
        .hasToString(
            """
            allocated 5 of 500 B, released 5 of 500 B, live 0 of 0 B, peak 2 of 300 B
              allocated 1 of 260 B, released 1 of 260 B, live 0 of 0 B, peak 1 of 260 B
                at com.acme.Codec.encode(Codec.java:12)
                at io.netty.buffer.PooledByteBufAllocator.directBuffer(PooledByteBufAllocator.java)
              allocated 4 of 240 B, released 4 of 240 B, live 0 of 0 B, peak 1 of 40 B
                at com.acme.Codec.decode(Codec.java:34)
                at io.netty.buffer.PooledByteBufAllocator.directBuffer(PooledByteBufAllocator.java)\
            """);
  }
}
