package org.buftrail.it;

import java.util.List;

/**
 * A Spring Boot WebFlux application, started as {@code java -jar} starts it, classes and libraries
 * nested in the jar.
 */
final class BootIT extends ApplicationTests {
  @Override
  List<String> commandLine() {
    return List.of(
        "-jar", RunningApplication.APPS.resolve("boot/target/application.jar").toString());
  }

  @Override
  String include() {
    return "org.buftrail.apps.boot";
  }

  @Override
  String lostAt() {
    return "AdaptiveByteBufAllocator.directBuffer( > ByteBuf.retain)+ > OrderController.take";
  }
}
