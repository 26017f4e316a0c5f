package org.buftrail.build;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/** Lambdas and method references of each sort, and what comes of them. */
class Lambdas implements Supplier<List<Object>> {
  private final List<Object> seen = new ArrayList<>();
  private final String own = "own";

  /** Answers in a way of its own, so that a call that is bound too early shows. */
  static final class Sub extends Lambdas {
    @Override
    String name() {
      return "sub";
    }
  }

  String name() {
    return "base";
  }

  private String joined(String text) {
    return own + text;
  }

  private static int twice(int number) {
    return 2 * number;
  }

  /** Takes and gives primitive values of two slots, and of one, in turn. */
  interface Mixed {
    double mix(long first, int second, double third, byte fourth);
  }

  private final class Inner {
    private String nested() {
      Supplier<String> nested = () -> joined(" of inner");
      return nested.get();
    }
  }

  @Override
  public List<Object> get() {
    references();
    captures(3, 4L, 'c', (byte) 5, 2.5, true);
    numbers();
    several();
    return seen;
  }

  private void references() {
    Function<String, String> bound = this::joined;
    Function<String, Integer> ofAny = String::length;
    Function<Object, String> ofObject = Object::toString;
    Supplier<List<String>> made = ArrayList::new;
    IntFunction<int[]> array = int[]::new;
    Function<Integer, List<String>> sized = ArrayList::new;
    Function<CharSequence, Integer> ofInterface = CharSequence::length;
    Supplier<String> virtual = this::name;
    Consumer<Object> dropped = seen::add;
    BiFunction<String, String, Boolean> two = String::equals;
    Function<Object[], List<Object>> varargs = Arrays::asList;
    UnaryOperator<String> trimmed = String::trim;
    dropped.accept("dropped");
    seen.addAll(
        List.of(
            bound.apply("!"),
            ofAny.apply("four"),
            ofObject.apply(7),
            made.get(),
            array.apply(2).length,
            sized.apply(3),
            ofInterface.apply("abc"),
            virtual.get(),
            two.apply("a", "a"),
            varargs.apply(new Object[] {1, "b"}),
            trimmed.apply(" t "),
            new Inner().nested()));
  }

  private void captures(int i, long l, char c, byte b, double d, boolean z) {
    Supplier<String> all = () -> own + i + l + c + b + d + z;
    Mixed mixed = (first, second, third, fourth) -> first + second * third + fourth + l + i;
    Supplier<Supplier<String>> nested = () -> () -> all.get() + c;
    seen.addAll(List.of(all.get(), mixed.mix(1L, 2, 3.5, (byte) 4), nested.get().get()));
  }

  private void numbers() {
    IntUnaryOperator plain = Lambdas::twice;
    Function<Integer, Integer> boxed = Lambdas::twice;
    LongSupplier wider = "12345"::length;
    DoubleSupplier widest = "123"::length;
    ToIntFunction<Integer> unboxed = number -> number;
    ToLongFunction<Integer> unboxedWider = Integer::intValue;
    LongUnaryOperator rest = number -> number % 10;
    BinaryOperator<Integer> sum = Integer::sum;
    Supplier<Long> boxedLong = System.out == null ? () -> 1L : () -> 2L;
    seen.addAll(
        List.of(
            plain.applyAsInt(4),
            boxed.apply(5),
            wider.getAsLong(),
            widest.getAsDouble(),
            unboxed.applyAsInt(6),
            unboxedWider.applyAsLong(8),
            rest.applyAsLong(127),
            sum.apply(2, 3),
            boxedLong.get()));
  }

  /** Lambdas of one shape, which share a class. */
  private void several() {
    List<Predicate<String>> tests = new ArrayList<>();
    String prefix = "a";
    Object other = "b";
    tests.add(text -> text.startsWith(prefix));
    tests.add(text -> text.equals(other));
    tests.add(String::isEmpty);
    tests.add(text -> text.length() > 2);
    for (String text : List.of("", "a", "b", "abc")) {
      for (Predicate<String> test : tests) {
        seen.add(test.test(text));
      }
    }
    try {
      Supplier<String> failing =
          () -> {
            throw new IllegalStateException("thrown");
          };
      seen.add(failing.get());
    } catch (IllegalStateException e) {
      seen.add(e.getMessage());
    }
  }
}
