package org.buftrail.it;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * A test that runs on each JVM and with each Netty version, in the pairs that {@link Matrix}
 * chooses.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest(name = "{0}")
@ArgumentsSource(Matrix.class)
@interface EachSetting {
  /** Whether only the Netty versions count that have the adaptive allocator. */
  boolean adaptive() default false;

  /** Whether only Netty 4.2 counts. */
  boolean netty42() default false;

  /** Whether only the Netty versions count whose native transports are at hand. */
  boolean natives() default false;

  /** The oldest Java that counts. */
  int java() default 11;

  /** Whether only the newest Netty counts, on each JVM. */
  boolean newestNetty() default false;

  /** Whether only the oldest and the newest JVM count, where those between say the same. */
  boolean outerJvms() default false;

  /** Whether only the JVM of the tests counts, with each Netty. */
  boolean ownJvm() default false;
}
