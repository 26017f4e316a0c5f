package org.buftrail.agent.weave.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.MalformedURLException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TestClassesTest {
  private static boolean isTest(String name, String location, String classFile)
      throws MalformedURLException {
    CodeSource source = new CodeSource(URI.create(location).toURL(), (Certificate[]) null);
    return TestClasses.contain(
        name, new ProtectionDomain(source, null), classFile.getBytes(StandardCharsets.ISO_8859_1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "file:/p/target/test-classes/",
        "file:/p/build/classes/java/test/",
        "file:/p/build/classes/kotlin/integrationTest/",
        "file:/p/out/test/module/",
        "file:/p/bin/test/",
        "file:/p/libs/codec-1.0-tests.jar"
      })
  void theyAreWhereABuildPutsThem(String location) throws MalformedURLException {
    assertThat(isTest("com/acme/Helper", location, "")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "file:/test/target/classes/",
        "file:/test-classes/p/target/classes/",
        "file:/p/build/classes/java/main/",
        "file:/p/out/production/test/",
        "file:/p/libs/contest.jar"
      })
  void othersAreNone(String location) throws MalformedURLException {
    assertThat(isTest("com/acme/Codec", location, "io/netty/buffer/ByteBuf")).isFalse();
    assertThat(isTest("com/acme/CodecTest", location, "Lorg/junit/jupiter/api/Test;")).isTrue();
  }

  @Test
  void ofFrameworksThoseThatCatchForATest() throws MalformedURLException {
    String jar = "file:/m/library.jar";
    String self = "org/junit/ org/assertj/ io/kotest/";
    assertThat(isTest("org/junit/jupiter/api/AssertThrows", jar, self)).isTrue();
    assertThat(isTest("org/assertj/core/api/ThrowableAssert", jar, self)).isTrue();
    assertThat(isTest("io/kotest/assertions/throwables/AnyThrowableHandlingKt", jar, self))
        .isTrue();
    assertThat(
            isTest("org/junit/platform/engine/support/hierarchical/ThrowableCollector", jar, self))
        .isFalse();
    assertThat(isTest("java/util/concurrent/FutureTask", jar, self)).isFalse();
  }
}
