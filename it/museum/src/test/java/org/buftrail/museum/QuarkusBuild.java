package org.buftrail.museum;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** Has Quarkus' own plugin build a program, as its guides say. */
final class QuarkusBuild {
  private QuarkusBuild() {}

  /**
   * Builds the layout that is Quarkus' default.
   *
   * @param directory where it is built
   * @return the jar that starts it, {@code quarkus-app/quarkus-run.jar}
   */
  static Path fastJar(Framework framework, Path directory) throws Exception {
    Path sources =
        Files.createDirectories(
            directory
                .resolve("src/main/java")
                .resolve(Framework.ROOT.relativize(framework.source().getParent())));
    for (String file : List.of(framework.source().getFileName().toString(), "Traffic.java")) {
      Files.copy(
          framework.source().resolveSibling(file),
          sources.resolve(file),
          StandardCopyOption.REPLACE_EXISTING);
    }
    Files.writeString(directory.resolve("pom.xml"), pom(framework));
    ClassPaths.maven(directory, "package");
    return directory.resolve("target/quarkus-app/quarkus-run.jar");
  }

  private static String pom(Framework framework) {
    StringBuilder pom = new StringBuilder(ClassPaths.HEAD);
    pom.append("<artifactId>shop</artifactId><properties>");
    pom.append("<maven.compiler.source>17</maven.compiler.source>");
    pom.append("<maven.compiler.target>17</maven.compiler.target>");
    pom.append("<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>");
    pom.append("</properties><dependencyManagement><dependencies><dependency>");
    pom.append("<groupId>io.quarkus.platform</groupId><artifactId>quarkus-bom</artifactId>");
    pom.append("<version>").append(framework.quarkus());
    pom.append("</version><type>pom</type><scope>import</scope>");
    pom.append("</dependency></dependencies></dependencyManagement><dependencies>");
    for (String dependency : framework.dependencies()) {
      String[] parts = dependency.split(":", -1);
      pom.append("<dependency><groupId>").append(parts[0]).append("</groupId><artifactId>");
      pom.append(parts[1]).append("</artifactId></dependency>");
    }
    pom.append("</dependencies><build><plugins><plugin>");
    pom.append("<groupId>io.quarkus.platform</groupId>");
    pom.append("<artifactId>quarkus-maven-plugin</artifactId><version>");
    pom.append(framework.quarkus()).append("</version><extensions>true</extensions>");
    pom.append("<executions><execution><goals><goal>build</goal></goals></execution>");
    return pom.append("</executions></plugin></plugins></build></project>").toString();
  }
}
