# Two stages: what builds is not what runs. Neither needs the network once the packages are there.
#
#   docker build -t taskfleet .
#   docker run --read-only --tmpfs /tmp -v taskfleet-data:/data --env-file taskfleet.env -p 3000:3000 taskfleet
#
# The settings are in docs/operations.md. Pin the base image by digest before relying on it:
# `docker buildx imagetools inspect node:24.22.3-bookworm-slim` prints it.
FROM node:24.22.3-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY tools/bin/package.json tools/bin/package.json
COPY tools/dev/package.json tools/dev/package.json
COPY tools/runtime/package.json tools/runtime/package.json
# No package may run code of its own while it is installed.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:24.22.3-bookworm-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    TASKFLEET_DATA_DIR=/data
WORKDIR /app
COPY --from=build /build/package.json /build/app.yml ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
COPY --from=build /build/schemas schemas
# The only place that is written to; everything else may be read-only.
RUN mkdir /data && chown node:node /data
VOLUME /data
# Not root, and by number, so that `runAsNonRoot` can be checked.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node itself is process 1: no shell and no npm stands between it and SIGTERM.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "dist/cli/main.js"]
CMD ["serve"]
