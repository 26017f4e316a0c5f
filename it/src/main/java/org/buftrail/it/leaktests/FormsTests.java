package org.buftrail.it.leaktests;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms that tests have in JUnit. */
class FormsTests {
  private static void allocate(String what) {
    ByteBuf buffer = Buffers.written(Buffers.direct());
    if (!what.startsWith("leak")) {
      buffer.release();
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"leak", "clean"})
  void parameterised(String what) {
    allocate(what);
  }

  @RepeatedTest(value = 2, name = "leak {currentRepetition}")
  void leakRepeated() {
    allocate("leak");
  }

  @RepeatedTest(value = 2, name = "clean {currentRepetition}")
  void cleanRepeated() {
    allocate("clean");
  }

  @TestFactory
  Stream<DynamicTest> dynamic() {
    return Stream.of("leak", "clean")
        .map(what -> DynamicTest.dynamicTest(what, () -> allocate(what)));
  }

  @Test
  @Timeout(value = 20, unit = SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void leakInSeparateThread() {
    allocate("leak");
  }

  @Test
  @Timeout(value = 20, unit = SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void cleanInSeparateThread() {
    allocate("clean");
  }

  @Test
  void leakWhenPreempted() {
    Assertions.assertTimeoutPreemptively(Duration.ofSeconds(20), () -> allocate("leak"));
  }

  @Test
  void cleanWhenPreempted() {
    Assertions.assertTimeoutPreemptively(Duration.ofSeconds(20), () -> allocate("clean"));
  }

  @Nested
  class Inner {
    @Test
    void leakNested() {
      allocate("leak");
    }

    @Test
    void cleanNested() {
      allocate("clean");
    }
  }

  @Nested
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  class OneInstance {
    @Test
    void leakOfOneInstance() {
      allocate("leak");
    }

    @Test
    void cleanOfOneInstance() {
      allocate("clean");
    }
  }
}
