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
import org.junit.rules.ExpectedException;
import org.junit.rules.ExternalResource;

/** For JUnit 4. */
public class RuleTests {
  /** Of the class. */
  @ClassRule public static final BufferLeakRule OF_CLASS = new BufferLeakRule();

  /** Of each test. */
  @Rule(order = Integer.MIN_VALUE)
  public final BufferLeakRule leaks = new BufferLeakRule();

  /** Swallows what a test is to throw, and all that is suppressed by it. */
  @Rule
  @SuppressWarnings("deprecation") // as in many tests of JUnit 4
  public final ExpectedException expected = ExpectedException.none();

  /** Releases what a test gives it, after all methods of the test. */
  @Rule
  public final ExternalResource resource =
      new ExternalResource() {
        @Override
        protected void after() {
          if (ofResource != null) {
            ofResource.release();
          }
        }
      };

  private static @Nullable ByteBuf ofClass;

  private @Nullable ByteBuf late;

  private @Nullable ByteBuf ofResource;

  private @Nullable ByteBuf released;

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
    if (released != null) {
      Buffers.releaseQuietly(released);
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

  /** Leaks as it throws what it is to throw. */
  @Test
  public void leakAndThrow() {
    expected.expect(IllegalStateException.class);
    Buffers.written(Buffers.direct());
    throw new IllegalStateException("on purpose");
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

  /** Another rule releases. */
  @Test
  public void cleanByRule() {
    ofResource = Buffers.direct();
  }

  /** Throws what it is to throw. */
  @Test
  public void cleanAndThrow() {
    expected.expect(IllegalStateException.class);
    Buffers.written(Buffers.direct()).release();
    throw new IllegalStateException("on purpose");
  }

  /** Asserts a misuse. */
  @Test
  public void cleanMisuse() {
    ByteBuf buffer = Buffers.direct();
    buffer.release();
    assertThrows(IllegalReferenceCountException.class, buffer::release);
  }

  /** Asserts a misuse, and what comes after the test swallows another of the same buffer. */
  @Test
  public void leakSwallowedAfterAnAssertedOne() {
    ByteBuf buffer = Buffers.direct();
    buffer.release();
    released = buffer;
    assertThrows(IllegalReferenceCountException.class, () -> Buffers.releaseLoudly(buffer));
  }

  /** Is skipped while it holds a buffer. */
  @Test
  public void skipped() {
    Buffers.written(Buffers.direct());
    assumeTrue(false);
  }
}
