package org.buftrail.it.leaktests;

import static org.junit.Assert.assertThrows;
import static org.junit.Assume.assumeTrue;

import io.netty.buffer.ByteBuf;
import io.netty.util.IllegalReferenceCountException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.buftrail.junit.BufferLeakRule;
import org.jspecify.annotations.Nullable;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;

/** For JUnit 4. */
public class RuleTests {
  /** Of the class. */
  @ClassRule public static final BufferLeakRule OF_CLASS = new BufferLeakRule();

  /** Of each test. */
  @Rule public final BufferLeakRule leaks = new BufferLeakRule();

  private static @Nullable ByteBuf ofClass;

  private @Nullable ByteBuf late;

  /** Has a buffer for all tests. */
  @BeforeClass
  public static void allocate() {
    ofClass = Buffers.direct();
  }

  /** Releases it. */
  @AfterClass
  public static void release() {
    Objects.requireNonNull(ofClass).release();
  }

  /** Releases what a test has. */
  @After
  public void releaseLate() {
    if (late != null) {
      late.release();
    }
  }

  /** Leaks. */
  @Test
  public void leakDirect() {
    Buffers.written(Buffers.direct());
  }

  /** Leaks on a pool that is older than the test. */
  @Test
  public void leakOnCommonPool() {
    CompletableFuture.runAsync(() -> Buffers.written(Buffers.direct())).join();
  }

  /** Does not. */
  @Test
  public void cleanDirect() {
    Buffers.written(Buffers.direct()).release();
  }

  /** Releases afterwards. */
  @Test
  public void cleanAfter() {
    late = Buffers.direct();
  }

  /** Asserts a misuse. */
  @Test
  public void cleanMisuse() {
    ByteBuf buffer = Buffers.direct();
    buffer.release();
    assertThrows(IllegalReferenceCountException.class, buffer::release);
  }

  /** Is skipped while it holds a buffer. */
  @Test
  public void skipped() {
    Buffers.written(Buffers.direct());
    assumeTrue(false);
  }
}
