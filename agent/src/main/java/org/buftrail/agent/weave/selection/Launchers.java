package org.buftrail.agent.weave.selection;

/** Known programs that start applications of others, by their packages. */
final class Launchers {
  static final String QUARKUS = "io/quarkus/";
  static final String KTOR = "io/ktor/";

  private static final String[] ALL = {
    QUARKUS,
    KTOR,
    "akka/",
    "clojure/",
    "dotty/tools/",
    "fish/payara/",
    "io/micronaut/",
    "io/vertx/",
    "org/apache/catalina/",
    "org/apache/commons/daemon/",
    "org/apache/felix/",
    "org/apache/flink/",
    "org/apache/karaf/",
    "org/apache/pekko/",
    "org/apache/spark/",
    "org/codehaus/plexus/",
    "org/eclipse/equinox/",
    "org/eclipse/jetty/",
    "org/glassfish/",
    "org/jboss/",
    "org/jetbrains/kotlin/",
    "org/springframework/",
    "org/tanukisoftware/wrapper/",
    "play/core/",
    "scala/tools/",
  };

  private Launchers() {}

  /** Whether a class, or the root of a package, is one of theirs. */
  static boolean has(String name) {
    for (String each : ALL) {
      if (name.startsWith(each)) {
        return true;
      }
    }
    return false;
  }
}
