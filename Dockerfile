# The command line in an image: docker build -t buftrail . && docker run --rm -v "$PWD:/work" buftrail convert recording.jfr
FROM maven:3.9-eclipse-temurin-25 AS build
WORKDIR /src
COPY . .
RUN mvn --batch-mode --no-transfer-progress -DskipTests -pl dist,sql -am package

# The layout of a release, whose launcher knows what makes a command quick.
FROM eclipse-temurin:25-jre
COPY --from=build /src/release/src/main/bin/buftrail /opt/buftrail/bin/
COPY --from=build /src/dist/launcher/java.sh /src/dist/launcher/archive.sh /src/dist/target/buftrail.jar /src/sql/target/jars/ /opt/buftrail/lib/
COPY --from=build /src/jfr/src/test/resources/recordings/async-profiler.jfr.gz /src/jfr/src/test/resources/recordings/dd-50-10-100.jfr.gz /src/jfr/src/test/resources/recordings/jdk25.jfr.gz /opt/buftrail/lib/rehearsal/
# The first run makes an archive of the classes.
RUN ln -s buftrail.jar /opt/buftrail/lib/buftrail-demo.jar && /opt/buftrail/bin/buftrail --version
WORKDIR /work
ENTRYPOINT ["/opt/buftrail/bin/buftrail"]
