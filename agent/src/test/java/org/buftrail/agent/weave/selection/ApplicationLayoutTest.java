package org.buftrail.agent.weave.selection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ApplicationLayoutTest {
  @TempDir private Path directory;

  private Path jar(String name, String... entries) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    for (String entry : entries) {
      int colon = entry.indexOf(':');
      contents.put(colon < 0 ? entry : entry.substring(0, colon), entry.substring(colon + 1));
    }
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file))) {
      for (Map.Entry<String, String> each : contents.entrySet()) {
        jar.putNextEntry(new JarEntry(each.getKey()));
        jar.write(each.getValue().getBytes(StandardCharsets.UTF_8));
      }
    }
    return file;
  }

  private static ApplicationLayout layout(String main, Path... classPath) {
    StringBuilder joined = new StringBuilder();
    for (Path each : classPath) {
      joined.append(joined.length() == 0 ? "" : File.pathSeparator).append(each);
    }
    String name = main.replace('.', '/');
    return ApplicationLayout.of(
        new MainClass(name, name), joined.toString(), each -> each.startsWith("io/netty/"));
  }

  private static String path(Path jar) throws IOException {
    return jar.toFile().getCanonicalFile().toURI().getPath();
  }

  @Test
  void ofQuarkusItIsWhatLiesInTheDirectoryApp() throws IOException {
    Path run = jar("quarkus app/quarkus-run.jar", "io/quarkus/bootstrap/runner/Entry.class");
    Path shop = jar("quarkus app/app/shop 1.jar", "com/acme/shop/Orders.class");
    Path lib = jar("quarkus app/lib/main/vertx.jar", "io/vertx/core/Vertx.class");
    ApplicationLayout layout = layout("io.quarkus.bootstrap.runner.QuarkusEntryPoint", run);
    assertThat(layout.isLaunched()).isTrue();
    assertThat(layout.hasJar(path(shop))).isTrue();
    assertThat(layout.hasJar(path(lib))).isFalse();
    assertThat(layout.hasPackage("com/acme/shop")).as("also where it was transformed").isTrue();
    assertThat(layout.hasPackage("io/vertx/core")).isFalse();
  }

  /** The scripts of Gradle, sbt and Play put it there, and the main class is that of a library. */
  @Test
  void theFirstJarIsTheApplicationsWhereTheMainClassIsInAnother() throws IOException {
    Path shop = jar("lib/shop.jar", "com/acme/shop/Orders.class");
    Path server = jar("lib/server.jar", "io/ktor/server/netty/EngineMain.class", "io/ktor/A.class");
    ApplicationLayout layout = layout("io.ktor.server.netty.EngineMain", shop, server);
    assertThat(layout.hasJar(path(shop))).isTrue();
    assertThat(layout.hasJar(path(server))).isFalse();
    assertThat(layout.hasPackage("com/acme/codec")).as("another module").isTrue();
    assertThat(layout.hasPackage("io/ktor/utils")).isFalse();
    assertThat(layout.isLaunched()).isTrue();
  }

  /** An IDE has the application in directories and the libraries in their jars. */
  @Test
  void theFirstJarIsNobodysWhereThereAreClassesInDirectories() throws IOException {
    Path classes = Files.createDirectories(directory.resolve("classes/com/acme"));
    Files.createFile(classes.resolve("A.class"));
    Path server = jar("server.jar", "io/ktor/server/netty/EngineMain.class");
    Path library = jar("library.jar", "org/lib/A.class");
    String main = "io.ktor.server.netty.EngineMain";
    assertThat(layout(main, directory.resolve("classes"), library, server).hasJar(path(library)))
        .isFalse();
    Path conf = Files.createDirectories(directory.resolve("conf"));
    assertThat(layout(main, conf, library, server).hasJar(path(library))).isTrue();
  }

  @Test
  void aJarWithoutClassesIsNotTheFirst() throws IOException {
    Path names = jar("names.jar", "conf/application.conf");
    Path shop = jar("shop.jar", "com/acme/shop/Orders.class");
    Path server = jar("play.jar", "play/core/server/ProdServerStart.class");
    ApplicationLayout layout = layout("play.core.server.ProdServerStart", names, shop, server);
    assertThat(layout.hasJar(path(shop))).isTrue();
    assertThat(layout.hasJar(path(names))).isFalse();
  }

  @Test
  void aLauncherIsToldTheClassByAnArgument() throws IOException {
    Path vertx = jar("a.jar", "io/vertx/core/Launcher.class");
    Path shop = jar("b.jar", "com/acme/shop/Verticle.class");
    String path = vertx + File.pathSeparator + shop;
    ApplicationLayout told =
        ApplicationLayout.of(
            new MainClass(
                "io/vertx/core/Launcher",
                "io/vertx/core/Launcher",
                "run com.acme.shop.Verticle -conf org.other.json"),
            path,
            name -> false);
    assertThat(told.packages()).containsExactly("com/acme/shop");
    assertThat(told.hasPackage("com/acme/codec")).isTrue();
    assertThat(told.hasPackage("org/other")).isFalse();
    ApplicationLayout named =
        ApplicationLayout.of(
            new MainClass(
                "io/vertx/core/Launcher",
                "io/vertx/core/Launcher",
                "--master local --class org.shop.app.Job job.jar"),
            path,
            name -> false);
    assertThat(named.hasPackage("org/shop/codec")).as("not on the class path").isTrue();
  }

  @Test
  void aLauncherThatIsAloneOnItsClassPathHasTheApplicationBesideIt() throws IOException {
    Path launcher = jar("home/launch.jar", "launch/engine/Launch.class:no buffers");
    jar("home/lib/shop.jar", "com/acme/shop/Orders.class");
    Path agent =
        jar(
            "home/agent.jar",
            "META-INF/MANIFEST.MF:Manifest-Version: 1.0\nPremain-Class: org.spy.Agent\n",
            "org/spy/Agent.class");
    assertThat(agent).exists();
    ApplicationLayout layout = layout("launch.engine.Launch", launcher);
    assertThat(layout.packages()).containsExactly("com/acme/shop");
    jar("home/lib/large.jar", many("org/large/"));
    assertThat(layout("launch.engine.Launch", launcher).packages()).isEmpty();
  }

  @Test
  void ofAJarWithKtorInItTheFileSaysWhoseFunctionsItStarts() throws IOException {
    Path all =
        jar(
            "all.jar",
            "io/ktor/server/netty/EngineMain.class",
            "io/netty/buffer/ByteBuf.class",
            "application.conf:ktor { application { modules = [ com.acme.ApplicationKt.module ] } }",
            "com/acme/ApplicationKt.class",
            "com/acme/orders/Orders.class",
            "org/other/Other.class");
    ApplicationLayout layout = layout("io.ktor.server.netty.EngineMain", all);
    assertThat(layout.hasPackage("com/acme/orders")).isTrue();
    assertThat(layout.hasPackage("org/other")).isFalse();
    assertThat(layout.hasPackage("io/ktor/server/netty")).isFalse();
  }

  @Test
  void besideALauncherWithoutBuffersItIsWhatElseThereIs() throws IOException {
    Path launcher = jar("launch.jar", "launch/engine/Launch.class:no buffers");
    Path shop = jar("shop.jar", "com/acme/shop/Orders.class");
    Path netty = jar("netty.jar", many("io/netty/"));
    ApplicationLayout layout = layout("launch.engine.Launch", launcher, shop, netty);
    assertThat(layout.packages()).containsExactly("com/acme/shop");
    // It may as well be the application, which handles messages alone.
    assertThat(layout.isLaunched()).isFalse();
    assertThat(layout("launch.engine.Launch", launcher, netty).packages()).isEmpty();
  }

  private static String[] many(String start) {
    return IntStream.rangeClosed(0, JarPackages.MAX_CLASSES)
        .mapToObj(i -> start + "a/A" + i + ".class")
        .toArray(String[]::new);
  }

  @Test
  void tooMuchBesideALauncherIsNoOnes() throws IOException {
    Path launcher = jar("launch.jar", "launch/engine/Launch.class:no buffers");
    Path large = jar("large.jar", many("com/acme/"));
    String[] roots =
        IntStream.rangeClosed(0, JarPackages.MAX_ROOTS)
            .mapToObj(i -> "com/acme" + i + "/A.class")
            .toArray(String[]::new);
    for (Path jar : new Path[] {large, jar("roots.jar", roots)}) {
      ApplicationLayout layout = layout("launch.engine.Launch", launcher, jar);
      assertThat(layout.packages()).isEmpty();
      assertThat(layout.isLaunched()).isFalse();
    }
  }

  /** As {@code java -cp 'lib/*'} has them, in no order. */
  @Test
  void theFirstJarIsNobodysWhereTheMainClassIsNoFrameworks() throws IOException {
    Path library = jar("lib/a.jar", "org/lib/A.class");
    Path own = jar("lib/b.jar", "com/acme/Main.class:Lio/netty/buffer/ByteBuf;");
    ApplicationLayout layout = layout("com.acme.Main", library, own);
    assertThat(layout.hasJar(path(library))).isFalse();
    assertThat(layout.packages()).isEmpty();
  }

  @Test
  void aJarWithBuffersIsNoLaunchers() throws IOException {
    Path own = jar("own.jar", "com/acme/Main.class", "com/acme/A.class:Lio/netty/buffer/ByteBuf;");
    ApplicationLayout layout = layout("com.acme.Main", own, jar("lib.jar", "org/lib/A.class"));
    assertThat(layout.isLaunched()).isFalse();
    assertThat(layout.packages()).isEmpty();
  }

  @Test
  void whatCannotBeReadSaysNothing() throws IOException {
    Path bad = Files.writeString(directory.resolve("bad.jar"), "no jar");
    assertThat(layout("com.acme.Main", bad).packages()).isEmpty();
    assertThat(layout("com.acme.Main").packages()).isEmpty();
    assertThat(layout("io.quarkus.bootstrap.runner.QuarkusEntryPoint").packages()).isEmpty();
  }
}
