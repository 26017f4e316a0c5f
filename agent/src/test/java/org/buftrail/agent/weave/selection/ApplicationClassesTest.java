package org.buftrail.agent.weave.selection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLStreamHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ApplicationClassesTest {
  @TempDir private Path directory;

  private static ApplicationClasses classes(MainClass main) {
    return new ApplicationClasses(main, "", name -> name.startsWith("io/netty/"));
  }

  /** A protocol such as a nested jar's, which this JVM knows nothing of. */
  private static ProtectionDomain from(String location) throws MalformedURLException {
    URLStreamHandler none =
        new URLStreamHandler() {
          @Override
          protected java.net.URLConnection openConnection(URL url) throws IOException {
            throw new IOException("must not be opened");
          }
        };
    URL url = location.startsWith("nested:") ? new URL(null, location, none) : new URL(location);
    return new ProtectionDomain(new CodeSource(url, (Certificate[]) null), null);
  }

  private Path jar(String name, @Nullable String attribute, String value, String... entries)
      throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "com.example.shop.Main");
    if (attribute != null) {
      manifest.getMainAttributes().putValue(attribute, value);
    }
    Path file = directory.resolve(name);
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file), manifest)) {
      for (String entry : entries) {
        jar.putNextEntry(new JarEntry(entry));
      }
    }
    return file;
  }

  private static MainClass startedWith(String command, String classPath) {
    Properties properties = new Properties();
    properties.setProperty("sun.java.command", command);
    properties.setProperty("java.class.path", classPath);
    return MainClass.of(properties);
  }

  @ParameterizedTest
  @CsvSource({
    "file:/app/classes/, true",
    "file:/app/lib/codec.jar, false",
    "jar:file:/app.jar!/BOOT-INF/classes!/, true",
    "jar:file:/app.jar!/BOOT-INF/lib/codec.jar!/, false",
    "nested:/app.jar/!BOOT-INF/classes/!/, true",
    "nested:/app.jar/!BOOT-INF/lib/codec.jar!/, false",
    "jar:file:/shop.war!/WEB-INF/classes!/, true",
    "file:/tomcat/webapps/shop/WEB-INF/lib/codec.jar, false",
  })
  void whereAClassComesFromSaysWhoseItIs(String location, boolean own) throws IOException {
    ApplicationClasses classes = classes(MainClass.UNKNOWN);
    assertThat(classes.contains("com/example/Orders", from(location))).isEqualTo(own);
    assertThat(classes.hasPackageOf("com/example/Order")).isEqualTo(own);
    assertThat(classes.describe()).isEqualTo(own ? List.of("com.example") : List.of());
  }

  @Test
  void theJdkNettyAndTheBootLauncherAreNobodysWhereverTheyLie() throws IOException {
    ApplicationClasses classes = classes(MainClass.UNKNOWN);
    ProtectionDomain unpacked = from("file:/app/");
    assertThat(classes.contains("java/sql/Driver", unpacked)).isFalse();
    assertThat(classes.contains("io/netty/buffer/ByteBuf", unpacked)).isFalse();
    assertThat(classes.contains("org/springframework/boot/loader/launch/JarLauncher", unpacked))
        .isFalse();
    assertThat(classes.contains("com/example/Orders", null)).isFalse();
    assertThat(classes.contains("com/example/Orders", new ProtectionDomain(null, null))).isFalse();
    assertThat(classes.contains("com/example/Orders", unpacked)).isTrue();
  }

  @Test
  void theJarOfTheMainClassIsTheApplications() throws IOException {
    Path jar = jar("my shop+1.jar", null, "", "com/example/shop/Main.class", "org/other/A.class");
    MainClass main = startedWith(jar + " --port 80", jar.toString());
    assertThat(main.packageName()).isEqualTo("com.example.shop");
    ApplicationClasses classes = classes(main);
    ProtectionDomain own = from(jar.toUri().toString());
    assertThat(classes.contains("org/other/A", own)).as("before the main class").isFalse();
    assertThat(classes.contains("com/example/shop/Main", own)).isTrue();
    assertThat(classes.contains("org/other/A", own)).isTrue();
    assertThat(classes.contains("org/other/B", from("file:/lib/other.jar"))).isFalse();
    assertThat(classes.describe()).containsExactly("com.example.shop", "org.other");
  }

  @Test
  void jarsWithPackagesOfTheMainClassAreModulesOfItsBuild() throws IOException {
    ProtectionDomain other = from("file:/lib/codec.jar");
    ApplicationClasses acme = classes(new MainClass("com/acme/Main", "com/acme/Main"));
    assertThat(acme.contains("com/acme/codec/Codec", other)).isTrue();
    assertThat(acme.contains("com/other/Codec", other)).isFalse();
    ApplicationClasses ktor = classes(new MainClass("io/ktor/server/Main", "io/ktor/server/Main"));
    assertThat(ktor.contains("io/ktor/utils/Pool", other)).as("a launcher").isFalse();
    ApplicationClasses top = classes(new MainClass("io/Main", "io/Main"));
    assertThat(top.contains("io/vertx/Vertx", other)).as("says too little").isFalse();
  }

  @Test
  void modulesOfAWebApplicationAreThoseNamedLikeItsClasses() throws IOException {
    Path web = directory.resolve("web apps/shop/WEB-INF");
    Files.createDirectories(web.resolve("classes/com/acme/shop"));
    Files.createFile(web.resolve("classes/com/acme/shop/Orders.class"));
    ApplicationClasses tomcat =
        classes(
            new MainClass(
                "org/apache/catalina/startup/Bootstrap", "org/apache/catalina/startup/Bootstrap"));
    ProtectionDomain library = from(web.resolve("lib/codec.jar").toUri().toString());
    assertThat(tomcat.contains("com/acme/codec/Codec", library)).isTrue();
    assertThat(tomcat.contains("org/other/Codec", library)).isFalse();
    ProtectionDomain server = from(directory.resolve("lib/codec.jar").toUri().toString());
    assertThat(tomcat.contains("com/acme/codec/Codec", server)).as("beside it").isFalse();
  }

  @Test
  void aProgramThatJavaCompilesComesFromItsSource() throws IOException {
    assertThat(classes(MainClass.UNKNOWN).contains("Main", from("file:/home/me/Main.java")))
        .isTrue();
  }

  @Test
  void whatRunsTestsIsNotTheApplicationButTheClassPathInItsManifestIs() throws IOException {
    Path classes = Files.createDirectories(directory.resolve("test classes/com/example/shop"));
    Files.createFile(classes.resolve("OrdersTest.class"));
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest
        .getMainAttributes()
        .put(Attributes.Name.MAIN_CLASS, "org.apache.maven.surefire.booter.ForkedBooter");
    manifest
        .getMainAttributes()
        .put(Attributes.Name.CLASS_PATH, "lib/surefire-booter.jar test%20classes/");
    Path jar = directory.resolve("surefirebooter.jar");
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    MainClass main = startedWith(jar + " /tmp/surefire 1", jar.toString());
    ApplicationClasses application = new ApplicationClasses(main, jar.toString(), name -> false);
    assertThat(application.describe()).containsExactly("com.example.shop");
    assertThat(main.isNamed("org/apache/maven/surefire/booter/ForkedBooter")).isFalse();
    assertThat(startedWith(jar + " /tmp/surefire 1", "test-classes:lib/a.jar"))
        .as("once it has set the class path of the tests")
        .isSameAs(MainClass.UNKNOWN);
  }

  @Test
  void ofAJarWithItsLibrariesOnlyWhatIsNamedLikeTheMainClassIs() throws IOException {
    Path jar =
        jar("fat.jar", null, "", "org/relocated/netty/buffer/ByteBuf.class", "com/example/A.class");
    ApplicationClasses classes = classes(startedWith("com.example.shop.Main", jar + ":x.jar"));
    ProtectionDomain all = from(jar.toUri().toString());
    assertThat(classes.contains("com/example/shop/Main", all)).isTrue();
    assertThat(classes.contains("com/example/orders/Orders", all)).isTrue();
    assertThat(classes.contains("com/exampleother/Orders", all)).isFalse();
    assertThat(classes.contains("reactor/core/Flux", all)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "com.example.shop.Main, com/example/other/A, true",
    "com.example.Main, com/example/A, true",
    "com.example.Main, com/other/A, false",
    "shop.Main, shop/A, true",
    "shop.Main, shops/A, false",
    "Main, A, true",
    "Main, reactor/core/Flux, false",
    "io.github.somebody.shop.Main, io/github/somebody/A, true",
    "io.github.somebody.Main, io/github/else/A, false",
    "org.apache.shop.app.Main, org/apache/commons/A, false",
  })
  void whoHasTheSamePackageIsRelated(String main, String other, boolean related) {
    String name = main.replace('.', '/');
    assertThat(new MainClass(name, name).isRelated(other)).isEqualTo(related);
  }

  @Test
  void whatALauncherStartsSaysWhoseTheJarIs() throws IOException {
    Path boot = jar("boot.jar", "Start-Class", "org.acme.orders.Orders");
    Path vertx = jar("vertx.jar", "Main-Verticle", "org.acme.orders.Verticle");
    for (Path jar : List.of(boot, vertx)) {
      MainClass main = startedWith(jar.toString(), jar.toString());
      assertThat(main.isNamed("com/example/shop/Main")).isTrue();
      assertThat(main.packageName()).isEqualTo("org.acme.orders");
      assertThat(main.isRelated("org/acme/codec/Codec")).isTrue();
    }
  }

  /** One that has Netty in it may have any other. */
  @Test
  void aJarWithNettyHoldsLibrariesAndSoMayOneThatCannotBeRead() throws IOException {
    Path fat = jar("fat.jar", null, "", "org/relocated/netty/buffer/ByteBuf.class");
    Path thin = jar("thin.jar", null, "", "com/example/A.class");
    Path bad = Files.writeString(directory.resolve("bad.jar"), "no jar");
    assertThat(MainClass.holdsLibraries(fat.toUri().toURL())).isTrue();
    assertThat(MainClass.holdsLibraries(thin.toUri().toURL())).isFalse();
    assertThat(MainClass.holdsLibraries(bad.toUri().toURL())).isTrue();
    assertThat(MainClass.holdsLibraries(new URL("http://example.org/fat.jar"))).isFalse();
  }

  @Test
  void aJarWithoutAMainClassStartsNothingThatIsKnown() throws IOException {
    Path jar = directory.resolve("plain.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    assertThat(startedWith(jar.toString(), jar.toString())).isSameAs(MainClass.UNKNOWN);
    try (JarOutputStream empty = new JarOutputStream(Files.newOutputStream(jar))) {
      empty.putNextEntry(new JarEntry("com/example/A.class"));
    }
    assertThat(startedWith(jar + " --port 80", jar.toString())).isSameAs(MainClass.UNKNOWN);
  }

  @Test
  void aModulesMainClassIsNamedBehindIt() {
    MainClass main = startedWith("shop.module/com.example.Main a/b", "");
    assertThat(main.isNamed("com/example/Main")).isTrue();
  }

  @Test
  void aJarThatCannotBeReadSaysNothing() throws IOException {
    Path jar = Files.writeString(directory.resolve("bad.jar"), "no jar");
    assertThat(startedWith(jar.toString(), jar.toString()).packageName()).isEmpty();
    assertThat(startedWith("", "").packageName()).isEmpty();
  }

  @Test
  void beforeAClassLoadsDirectoriesSayWhichPackagesThereAre() throws IOException {
    for (String file : List.of("com/acme/a/A.class", "com/acme/b/B.class", "io/netty/x/X.class")) {
      Files.createDirectories(directory.resolve(file).getParent());
      Files.createFile(directory.resolve(file));
    }
    Files.createDirectories(directory.resolve("static/pictures"));
    ApplicationClasses classes =
        new ApplicationClasses(
            new MainClass("org/shop/Main", "org/shop/Main"),
            directory + File.pathSeparator + directory.resolve("none.jar"),
            name -> name.startsWith("io/netty/"));
    assertThat(classes.describe()).containsExactly("com.acme", "org.shop");
  }
}
